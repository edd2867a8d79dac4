/** `orch/sdk/https`: a client for outbound calls over HTTPS. */
export type {TlsSettings} from './agent-pool.js';
export type {HttpsRequest} from './exchange.js';
export {HttpsClient, placeOf, type VerifiedRequest} from './https-client.js';
