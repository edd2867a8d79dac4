/** `@orch-api/orch/sdk/authentication`: tokens in requests, for authenticators. */
export {bearerToken} from './bearer-token.js';
export {sameSecret} from './same-secret.js';
export {tokenIssuer} from './token-issuer.js';
