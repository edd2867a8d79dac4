/** A server in the test's own process. */
export {eventually, type EventuallyOptions} from './eventually.js';
export type {ClusterFault, ClusterFaults} from './cluster-faults.js';
export {readServerFile, startTestServer, type TestFaults, type TestServer} from './test-server.js';
export {TestClient, type TestRequestOptions, type TestResponse} from './test-client.js';
export type {ConflictOptions, Fault, ServerOptions} from '../core/server/index.js';
