import {StoreError} from '../../../sdk/index.js';
import {confirmsEach} from './durability.js';
import {indeterminate, toStoreError} from './redis-errors.js';
import type {RedisSettings} from './redis-settings.js';
import type {Session} from './session.js';

/**
 * Requires more for a write than the reply of Redis before it is acknowledged: that replicas have received it and, where Redis supports `WAITAOF`,
 * that they or the primary have synced it to disk. One WAIT covers all writes sent before it on the connection, so the writes of one turn of the
 * event loop share one.
 */
export class ReplicaAcknowledgement {
  readonly #batches = new Map<Session, Promise<void>>();
  readonly #settings: RedisSettings;
  readonly #server: string;

  constructor(settings: RedisSettings, server: string) {
    this.#settings = settings;
    this.#server = server;
  }

  /**
   * Resolves when all writes sent so far on this connection are confirmed. Rejects with `Unavailable`
   * (indeterminate: the primary has them, but a failover may lose them) if they are not in time.
   */
  async confirm(session: Session): Promise<void> {
    if (this.#settings.waitReplicas === 0 && !confirmsEach(session.facts, this.#settings)) return;
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
    const {waitReplicas, waitMillis} = this.#settings;
    const local = confirmsEach(session.facts, this.#settings) ? 1 : 0;
    const {confirmsSync, appendOnly} = session.facts;
    let synced = local;
    let confirmed: number;
    try {
      if (confirmsSync && appendOnly === true) {
        const reply = await session.send(['WAITAOF', String(local), String(waitReplicas), String(waitMillis)]);
        [synced, confirmed] = reply as [number, number];
      } else {
        confirmed = (await session.send(['WAIT', String(waitReplicas), String(waitMillis)])) as number;
      }
    } catch (error) {
      throw indeterminate(toStoreError(error, this.#server));
    }
    if (confirmed >= waitReplicas && synced >= local) return;
    const what = synced < local ? 'did not sync it' : `${confirmed} of ${waitReplicas} replicas confirmed it`;
    throw new StoreError('Unavailable', `Redis at ${this.#server} wrote the change, but ${what} within ${waitMillis} ms`, {
      indeterminate: true,
    });
  }
}
