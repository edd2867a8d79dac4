import type {ServerEndpoint} from '../../sdk/index.js';

/** Where others reach a server, and whom it trusts: what is not known before it listens is asked for each time. */
export function endpointOf(address: string, port: () => number, clientAuthorities: () => string, remains: () => boolean): ServerEndpoint {
  return {
    address,
    get port() {
      return port();
    },
    get clientAuthorities() {
      return clientAuthorities();
    },
    get remains() {
      return remains();
    },
  };
}
