import type {ServerEndpoint} from '../../sdk/index.js';
import type {WorkerPlace} from '../workers/worker-place.js';

/** Where others reach a server, and whom it trusts. */
export class Endpoint implements ServerEndpoint {
  /** Set when the server listens. */
  port = 0;
  readonly address: string;
  readonly #authorities: () => string;
  readonly #place: WorkerPlace | undefined;

  /** @param authorities the CAs of client certificates at the moment: they are read anew while the server runs */
  constructor(address: string, authorities: () => string, place: WorkerPlace | undefined) {
    this.address = address;
    this.#authorities = authorities;
    this.#place = place;
  }

  get clientAuthorities(): string {
    return this.#authorities();
  }

  get remains(): boolean {
    return this.#place?.remains() ?? false;
  }

  get process(): number | undefined {
    return this.#place?.number;
  }
}
