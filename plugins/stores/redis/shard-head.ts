import {randomBytes} from 'node:crypto';
import {StoreError} from '../../../sdk/index.js';
import {ReplyError} from './redis-errors.js';
import {scripts} from './script.js';
import type {Session} from './session.js';
import type {ShardKeys} from './shard-keys.js';

/**
 * How far the counter jumps when a history is replaced. Servers that are behind may have given out some revisions above
 * those that the repairing server has seen; the jump makes sure that none of them is used again.
 */
const jump = 1_000_000;

const refusesWrites = new Set(['OOM', 'MISCONF', 'NOREPLICAS']);

/**
 * What this server knows of a shard's history, and the check that Redis still has the same.
 *
 * Redis may lose answered writes: in a failover the new primary lacks what was not replicated yet, after a crash the
 * append-only file may lack the last second, and FLUSHALL removes everything. The counter then goes back, and the same
 * revisions would be given out again for other changes: clients would resume watches in the wrong place without notice.
 *
 * So each history carries an *epoch*, a random text. On every new connection, and every second on an idle one, `attach`
 * compares, in one atomic step, what Redis has with what this server has seen: the epoch, a counter not below the highest
 * revision seen, and the id of the commit that made that revision (the counter alone may have been driven past it by
 * another server). Where they differ, the first server that notices starts a new epoch, moves the counter far beyond
 * all revisions seen, and empties the log; the others find the new epoch. Every commit carries epoch and highest
 * revision as well, and is refused when they do not fit.
 */
export class ShardHead {
  #epoch = '';
  #revision = 0;
  #id = '';
  readonly #keys: ShardKeys;
  readonly #replaced: () => void;

  /** `replaced` is called after this server has gone over to another history. */
  constructor(keys: ShardKeys, replaced: () => void) {
    this.#keys = keys;
    this.#replaced = replaced;
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** The highest revision that this server has seen in this epoch. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Notes a revision that was seen and the id of its commit.
   *
   * @param epoch the epoch when the request was sent; an answer that came over from an earlier one is ignored
   */
  advance(epoch: string, revision: number, id: string): void {
    if (epoch !== this.#epoch || revision <= this.#revision) return;
    this.#revision = revision;
    this.#id = id;
  }

  /** Checks the history, repairs it when writes were lost, and goes over to another one when there is. Answers the floor of the log. */
  async attach(session: Session): Promise<number> {
    const fresh = randomBytes(12).toString('base64url');
    const keys = [this.#keys.head, this.#keys.log];
    const args = [this.#epoch, String(this.#revision), this.#id, fresh, String(jump)];
    const reply = await session.run(scripts.attach, keys, args).catch((error: unknown) => {
      // Reads go on while a primary refuses writes, unless the history needs repair. A replica is never good enough.
      if (error instanceof ReplyError && refusesWrites.has(error.code)) return session.run(scripts.attachWithoutWrites, keys, args);
      throw error;
    });
    const [epoch, revision, floor, id] = (reply as Buffer[]).map(String) as [string, string, string, string];
    if (epoch === this.#epoch) {
      this.advance(epoch, Number(revision), id);
    } else {
      const first = this.#epoch === '';
      this.#epoch = epoch;
      this.#revision = Number(revision);
      this.#id = id;
      if (!first) this.#replaced();
    }
    return Number(floor);
  }
}

/** The error for a call made against a history that has since been replaced. */
export function epochChangedError(): StoreError {
  return new StoreError('EpochChanged', 'Redis lost or replaced the history of this store');
}
