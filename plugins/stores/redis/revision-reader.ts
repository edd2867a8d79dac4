import type {ConfirmedHistory} from './confirmed-history.js';
import type {Link} from './link.js';
import {NextCall} from './next-call.js';
import {epochChangedError, type ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

/** Maximum attempts while the history keeps being replaced. */
const attempts = 3;

/**
 * Reads the revision of a shard for consistent reads. All callers of one turn of the event loop share one request; callers
 * that arrive during a request share the next one, because the one in progress may have been answered before the commit that
 * they must see.
 */
export class RevisionReader {
  readonly #reading = new NextCall(() => this.#read());
  readonly #link: Link;
  readonly #keys: ShardKeys;
  readonly #head: ShardHead;
  readonly #confirmed: ConfirmedHistory | undefined;

  constructor(link: Link, keys: ShardKeys, head: ShardHead, confirmed?: ConfirmedHistory) {
    this.#confirmed = confirmed;
    this.#link = link;
    this.#keys = keys;
    this.#head = head;
  }

  /** Rejects with `Unavailable`; with `EpochChanged` when the history is replaced again and again. */
  read(): Promise<number> {
    return this.#reading.share();
  }

  async #read(): Promise<number> {
    return this.#link.retrying(async (session) => {
      for (let attempt = 1; ; attempt++) {
        const {epoch, revision: seen} = this.#head;
        // No further caller can join this request.
        const [currentEpoch, revision, id] = (await session.send(
          ['HMGET', this.#keys.head, 'epoch', 'rev', 'last'],
          true,
        )) as (Buffer | null)[];
        if (String(currentEpoch) === epoch && Number(String(revision)) >= seen) {
          await this.#confirmed?.upTo(epoch, Number(String(revision)));
          this.#head.advance(epoch, Number(String(revision)), String(id));
          return Number(String(revision));
        }
        // The latest state is that of the other history; what was read from this one is dropped by then.
        await this.#head.attach(session);
        if (attempt === attempts) throw epochChangedError();
      }
    });
  }
}
