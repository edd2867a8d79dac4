import {StoreError} from '../../../sdk/index.js';
import type {Link} from './link.js';
import {ConnectionLost} from './redis-errors.js';
import type {ReplicaAcknowledgement} from './replica-acknowledgement.js';
import {epochChangedError} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

/**
 * How much of a shard's history the required replicas have. Nothing beyond it is shown, in a read, a watch or a refusal, so that a failover cannot
 * lose anything that was seen. The replicas are only asked about revisions above those that they have confirmed.
 *
 * WAIT covers everything that the primary had written when it answered the previous command of the connection, by any client.
 */
export class ConfirmedHistory {
  #epoch = '';
  #revision = 0;
  #next: Promise<void> | undefined;
  #current: Promise<unknown> = Promise.resolve();
  readonly #link: Link;
  readonly #keys: ShardKeys;
  readonly #replicas: ReplicaAcknowledgement;

  /** @param link a separate connection, because WAIT blocks it */
  constructor(link: Link, keys: ShardKeys, replicas: ReplicaAcknowledgement) {
    this.#link = link;
    this.#keys = keys;
    this.#replicas = replicas;
  }

  /** Notes what replicas have confirmed. */
  note(epoch: string, revision: number): void {
    if (epoch === this.#epoch) this.#revision = Math.max(this.#revision, revision);
    else [this.#epoch, this.#revision] = [epoch, revision];
  }

  /**
   * Resolves when the replicas have the history up to a revision.
   *
   * @throws StoreError `Unavailable` when they do not confirm it in time, `EpochChanged`
   */
  async upTo(epoch: string, revision: number): Promise<void> {
    if (this.#covers(epoch, revision)) return;
    await this.latest();
    if (!this.#covers(epoch, revision)) throw epochChangedError();
  }

  /** Resolves when the replicas have all that was there when it was called. Calls that come together share one question. */
  latest(): Promise<void> {
    return (this.#next ??= this.#afterCurrent());
  }

  #covers(epoch: string, revision: number): boolean {
    return epoch === this.#epoch && revision <= this.#revision;
  }

  async #afterCurrent(): Promise<void> {
    // A call in progress may have been answered before the change in question.
    await this.#current;
    const asking = this.#next!;
    this.#next = undefined;
    this.#current = asking.catch(() => undefined);
    await this.#ask();
  }

  async #ask(): Promise<void> {
    await this.#link.retrying(async (session) => {
      const [epoch, revision] = (await session.send(['HMGET', this.#keys.head, 'epoch', 'rev'])) as (Buffer | null)[];
      try {
        await this.#replicas.confirm(session);
      } catch (error) {
        if (!session.alive) throw new ConnectionLost('the connection was lost');
        // Nothing was asked to be written here, and so nothing is unknown.
        throw new StoreError('Unavailable', `the latest changes are not confirmed by replicas (${(error as Error).message})`, {
          cause: error,
        });
      }
      this.note(String(epoch), Number(String(revision)));
    });
  }
}
