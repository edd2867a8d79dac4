export {EmbeddedStoreProvider} from './embedded-store-provider.js';
export {MemoryStoreProvider} from './memory-store-provider.js';
