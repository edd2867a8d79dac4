/** `@orch-api/orch/sdk/https`: a client for outbound calls over HTTPS. */
export {AgentPool, type TlsSettings} from './agent-pool.js';
export type {HttpsRequest, HttpsResponse} from './exchange.js';
export {HttpsClient, placeOf, type VerifiedRequest} from './https-client.js';
export {parseAnswer, readAnswer} from './read-answer.js';
export {sendRequest, type OutgoingRequest, type RequestAnswer, type StreamedBody} from './send-request.js';
