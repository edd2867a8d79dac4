export {RemoteStoreProvider} from './remote-store-provider.js';
