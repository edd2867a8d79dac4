/** Orch as a library: the same server that the command line runs. */
export {createServer, type Server, type ServerOptions} from './create-server.js';
export type {ConflictOptions, Fault} from '../testing/store-faults.js';
