import type {ServerEndpoint} from '../../sdk/index.js';
import type {WorkerPlace} from '../workers/worker-place.js';

/** Where others reach a server, and whom it trusts: what is not known before it listens is asked for each time. */
export function endpointOf(
  address: string,
  port: () => number,
  clientAuthorities: () => string,
  place: WorkerPlace | undefined,
): ServerEndpoint {
  return {
    address,
    get port() {
      return port();
    },
    get clientAuthorities() {
      return clientAuthorities();
    },
    get remains() {
      return place?.remains() ?? false;
    },
    process: place?.number,
  };
}
