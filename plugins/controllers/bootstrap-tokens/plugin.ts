export {BootstrapSigner} from './bootstrap-signer.js';
export {TokenCleaner} from './token-cleaner.js';
