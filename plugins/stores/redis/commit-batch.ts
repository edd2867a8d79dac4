import type {Commit} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';
import {scripts} from './script.js';
import type {Session} from './session.js';
import type {ShardKeys} from './shard-keys.js';

/** Changes that are sent in one command, and bytes of their values after which another one begins: nobody else is served meanwhile. */
const most = 16;
const mostBytes = 256 * 1024;

const nothing = Buffer.alloc(0);

/** What the changes of a batch have in common. */
export interface BatchOptions {
  readonly session: Session;
  readonly keys: ShardKeys;
  readonly epoch: string;
  /** Remainder and step of the revisions of the shard, and the highest revision that is known of any shard of the same order; undefined where the shard has an order of its own. */
  readonly order: string | undefined;
  /** Bytes that the log may hold. */
  readonly historyBytes: number;
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Changes of one turn of the event loop that Redis makes in one command, each for itself and in their order: of one type, and under the same guard. What a
 * command costs Redis beside the change itself is as much as the change.
 */
export class CommitBatch {
  readonly #options: BatchOptions;
  readonly #first: Commit;
  readonly #changes: (string | Buffer)[] = [];
  readonly #waiting: Waiting[] = [];
  #seen = 0;
  #bytes = 0;

  /** @param first the change that will be added first: it says what the others have to be like */
  constructor(options: BatchOptions, first: Commit) {
    this.#options = options;
    this.#first = first;
  }

  /** Whether a change goes into this batch. */
  takes({session, epoch}: Pick<BatchOptions, 'session' | 'epoch'>, {type, value, guard}: Commit): boolean {
    const own = this.#first;
    if (session !== this.#options.session || epoch !== this.#options.epoch) return false;
    if (this.#waiting.length >= most || this.#bytes >= mostBytes) return false;
    if (type !== own.type || (value === null) !== (own.value === null)) return false;
    // What guards them is looked at once: none of them may be able to change it.
    if (guard?.type === type) return false;
    return guard?.type === own.guard?.type && guard?.key === own.guard?.key && guard?.revision === own.guard?.revision;
  }

  /**
   * Adds a change. Resolves to what `commit.lua` answers for it; rejects as `Session.run`.
   *
   * @param seen the highest revision that this server has seen in this epoch
   */
  add(id: string, seen: number, {key, expected, value}: Commit): Promise<Reply> {
    const operation = expected === 0 ? 'c' : value === null ? 'd' : 'u';
    this.#changes.push(id, String(expected), key, operation, value ?? nothing);
    this.#seen = Math.max(this.#seen, seen);
    this.#bytes += value?.length ?? 0;
    return new Promise((resolve, reject) => this.#waiting.push({resolve, reject}));
  }

  /** Sends what was added. @param atOnce as in `RedisConnection.send` */
  async send(atOnce: boolean): Promise<void> {
    const {session, keys, epoch, order, historyBytes} = this.#options;
    const {type, value, guard} = this.#first;
    const args = [epoch, String(this.#seen), session.id, type, String(historyBytes), ...this.#changes];
    if (guard) args.push(guard.key, String(guard.revision));
    if (order !== undefined) args.push(order);
    try {
      const answers = (await session.run(
        value === null ? scripts.commitDelete : scripts.commit,
        [keys.head, keys.log, keys.records(type), keys.values(type), ...(guard ? [keys.records(guard.type)] : [])],
        args,
        atOnce,
      )) as Reply[];
      for (const [index, {resolve}] of this.#waiting.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const {reject} of this.#waiting) reject(error);
    }
  }
}
