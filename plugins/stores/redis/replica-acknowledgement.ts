import {StoreError} from '../../../sdk/index.js';
import {indeterminate, toStoreError} from './redis-errors.js';
import type {Session} from './session.js';

/**
 * Demands that replicas have received a write before it is answered. One WAIT covers all writes sent on a connection
 * before it, so those of one turn of the event loop share one.
 */
export class ReplicaAcknowledgement {
  readonly #batches = new Map<Session, Promise<void>>();
  readonly #replicas: number;
  readonly #timeoutMillis: number;
  readonly #server: string;

  constructor(replicas: number, timeoutMillis: number, server: string) {
    this.#replicas = replicas;
    this.#timeoutMillis = timeoutMillis;
    this.#server = server;
  }

  /**
   * Resolves when the replicas have all that was sent on this connection until now. Rejects with `Unavailable`
   * (indeterminate: the primary has it, but a failover may lose it) when too few confirm in time.
   */
  confirm(session: Session): Promise<void> {
    let batch = this.#batches.get(session);
    if (batch === undefined) {
      batch = new Promise<void>((resolve, reject) => {
        setImmediate(() => {
          this.#batches.delete(session);
          this.#wait(session).then(resolve, reject);
        });
      });
      this.#batches.set(session, batch);
    }
    return batch;
  }

  async #wait(session: Session): Promise<void> {
    let confirmed: number;
    try {
      confirmed = (await session.send(['WAIT', String(this.#replicas), String(this.#timeoutMillis)])) as number;
    } catch (error) {
      throw indeterminate(toStoreError(error, this.#server));
    }
    if (confirmed < this.#replicas) {
      throw new StoreError(
        'Unavailable',
        `Redis at ${this.#server} wrote the change, but ${confirmed} of ${this.#replicas} replicas confirmed it within ${this.#timeoutMillis} ms`,
        {indeterminate: true},
      );
    }
  }
}
