import {randomBytes} from 'node:crypto';
import {StoreError, type Lineage} from '../../../sdk/index.js';
import {keepsEverything} from './durability.js';
import {ConnectionLost, ReplyError} from './redis-errors.js';
import {scripts, type Script} from './script.js';
import type {Session} from './session.js';
import type {ShardKeys} from './shard-keys.js';

/**
 * How far the counter jumps beyond all known revisions when a history is replaced and the clock of Redis was set back. Otherwise a history
 * begins at the microseconds since 1970, and so above all revisions that were ever given out, known or not.
 */
export const jump = 1_000_000;

const refusesWrites = new Set(['OOM', 'MISCONF', 'NOREPLICAS']);

export interface ShardHeadOptions {
  readonly keys: ShardKeys;
  /** Host and port, for messages. */
  readonly server: string;
  /** The lineage of the shard in the data directory. */
  readonly remembered: Lineage | undefined;
  /** Called with the lineage of the shard after each check. */
  note(lineage: Lineage): void;
  /** Called after this server has switched to another history, with the reason if it began that itself. */
  replaced(reason: string): void;
}

/**
 * What this server knows of a shard's history, and the check that Redis still has the same.
 *
 * Redis may lose answered writes: in a failover the new primary lacks what was not replicated yet, after a crash the
 * append-only file may lack the last second, an older snapshot may be loaded, and FLUSHALL removes everything. The counter then goes back,
 * and the same revisions would be given out again for other changes: clients would resume watches in the wrong place without notice.
 *
 * So each history carries an *epoch*, a random text. On every new connection, and every four or five seconds, `attach` compares, in one atomic step,
 * the state of Redis with what this server has seen, or its data directory remembers: the store, the epoch, a counter not below the
 * highest revision seen, the id of the commit that made that revision (the counter alone may have been driven past it by another server),
 * the process that wrote last (its clients may have seen any revision), and the number of records of each type. If the history does not
 * continue, the first server that notices starts a new epoch, moves the counter far beyond all revisions seen, and drops the log; the others
 * find the new epoch. If data is missing, no server continues: `attach` rejects until an operator accepts the loss. Every commit carries epoch
 * and highest revision as well, and is refused if they do not match.
 */
export class ShardHead {
  #store: string;
  #epoch: string;
  #revision: number;
  #id: string;
  /** Time of Redis at the last check. */
  #at: number;
  /** The types that have records, as far as is known. */
  readonly #types = new Set<string>();
  #clockOffset = Date.now() - performance.now();
  #attached = false;
  readonly #options: ShardHeadOptions;

  constructor(options: ShardHeadOptions) {
    this.#options = options;
    const {store = '', epoch = '', revision = 0, commit = '', at = 0} = options.remembered ?? {};
    this.#store = store;
    this.#epoch = epoch;
    this.#revision = revision;
    this.#id = commit;
    this.#at = at;
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** The highest revision that this server has seen in this epoch. */
  get revision(): number {
    return this.#revision;
  }

  /** Head, log and the values of the types that had records at the last check. */
  get keysWithValues(): string[] {
    const {keys} = this.#options;
    return [keys.head, keys.log, ...[...this.#types].map((type) => keys.values(type))];
  }

  /** The time of Redis, in milliseconds since 1970: as read with each check, and on by this process' steady clock since. */
  now(): number {
    return Math.round(performance.now() + this.#clockOffset);
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

  /**
   * Checks the history, starts a new one if it does not continue, and switches to another one if there is. Returns the floor of the log.
   *
   * @throws StoreError `Unavailable` if data is missing
   * @throws ConnectionLost if another connection found another history before the reply
   */
  async attach(session: Session): Promise<number> {
    const {keys, server, note, replaced} = this.#options;
    const fresh = randomBytes(12).toString('base64url');
    const {run, node, isPromoted} = session.facts;
    const asked = this.#epoch;
    const remembered = [this.#store, asked, String(this.#revision), this.#id, String(this.#at)];
    const about = [run, node, keepsEverything(session.facts) ? '1' : '0', isPromoted ? '1' : '0'];
    const args = [keys.base, ...remembered, fresh, String(jump), ...about];
    const [word, ...answer] = await runAttach(session, scripts.attach, keys, this.#types, args).catch((error: unknown) => {
      // Reads continue while a primary refuses writes, unless the history needs repair. A replica is never used.
      if (error instanceof ReplyError && refusesWrites.has(error.code)) {
        return runAttach(session, scripts.attachWithoutWrites, keys, this.#types, args);
      }
      throw error;
    });
    if (word === 'Missing') throw missingError(server, answer);
    const [store, epoch, revision, floor, id, time, reason] = answer as [string, string, string, string, string, string, string];
    const isOther = epoch !== this.#epoch;
    // Another connection was quicker, and it is unknown which reply is the later one: the next connection asks again with the present state.
    if (isOther && this.#epoch !== asked) {
      const reason = 'the history was replaced';
      session.end(reason);
      throw new ConnectionLost(reason);
    }
    this.#clockOffset = Number(time) - performance.now();
    if (!isOther) {
      this.advance(epoch, Number(revision), id);
    } else {
      this.#epoch = epoch;
      this.#revision = Number(revision);
      this.#id = id;
    }
    this.#store = store;
    this.#at = Number(time);
    note({store, epoch, revision: this.#revision, commit: this.#id, at: this.#at});
    // Before the first attach, nothing in this process follows the history remembered by the data directory.
    if (isOther && this.#attached) replaced(reason);
    this.#attached = true;
    return Number(floor);
  }
}

/**
 * Runs `attach.lua` with the keys of all types that have records: those in `types`, which is corrected if the script names others.
 * Returns the words of its reply.
 */
export async function runAttach(
  session: Session,
  script: Script,
  keys: ShardKeys,
  types: Set<string>,
  args: readonly string[],
): Promise<string[]> {
  for (;;) {
    const data = [...types].flatMap((type) => [keys.records(type), keys.values(type)]);
    const answer = ((await session.run(script, [keys.head, keys.log, ...data], args)) as Buffer[]).map(String);
    if (answer[0] !== 'Types') return answer;
    types.clear();
    for (const type of answer.slice(1)) types.add(type);
  }
}

/** The error for a call made against a history that has since been replaced. */
export function epochChangedError(): StoreError {
  return new StoreError('EpochChanged', 'Redis lost or replaced the history of this store');
}

/** `Unavailable`, because the store works again once the missing data is back, or its loss accepted. */
function missingError(server: string, answer: readonly string[]): StoreError {
  return new StoreError(
    'Unavailable',
    `Redis at ${server} has lost data of this store (${missingText(answer)}): bring it back, or accept the loss with "orch store accept-loss"`,
  );
}

/** Describes the data that `attach.lua` found missing. */
export function missingText([what = '', type, found, expected]: readonly string[]): string {
  const texts: Readonly<Record<string, string>> = {
    store: 'it is empty, and this server knows that the store had data',
    log: 'what describes the store is gone, and parts of it are left',
    restoring: 'it is being restored; if that was broken off, run "orch store restore" again',
    other: 'it holds another store than the one that this server knows',
    records: `it has ${found} records of ${type} and should have ${expected}`,
    values: `it has ${found} values for ${expected} records of ${type}`,
  };
  return texts[what] ?? what;
}
