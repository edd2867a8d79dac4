export {DefaultAccounts} from './default-accounts.js';
export {LegacyTokenCleaner} from './legacy-token-cleaner.js';
export {LegacyTokenTracking} from './legacy-token-tracking.js';
export {JsonWebKeys, OpenIdConfiguration} from './open-id-routes.js';
export {ServiceAccountAuthenticator} from './service-account-authenticator.js';
export {ServiceAccountStrategy} from './service-account-strategy.js';
export {ServiceAccountToken} from './service-account-token.js';
export {TokenSecrets} from './token-secrets.js';
