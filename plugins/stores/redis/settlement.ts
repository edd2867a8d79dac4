import {setImmediate as turn} from 'node:timers/promises';
import type {StoreError} from '../../../sdk/index.js';
import type {Link} from './link.js';
import {indeterminate} from './redis-errors.js';
import {scripts} from './script.js';
import {epochChangedError} from './shard-head.js';
import type {Session} from './session.js';
import type {ShardKeys} from './shard-keys.js';

/** The outcome of commits whose connection broke before the reply. */
export interface Outcome {
  /** Ids and revisions of the commits in the log. */
  readonly revisions: ReadonlyMap<string, number>;
  /** Whether the other commits are known to have no effect, now and later. False if the log has been compacted since. */
  readonly complete: boolean;
  /** The connection on which that was found out, and on which replicas can be asked about them. */
  readonly session: Session;
}

/** A commit that was sent and not answered. */
export interface LostCommit {
  /** The connection on which it was sent. */
  readonly session: Session;
  readonly id: string;
  readonly epoch: string;
  /** A revision below that of the commit. */
  readonly after: number;
}

interface Group {
  readonly commits: LostCommit[];
  readonly outcome: Promise<Outcome>;
}

/** Log entries looked at in one call. */
const pageSize = 256;

/**
 * Finds out what became of commits that were sent but not answered. All that were lost with one connection are looked
 * for together, by their ids in the log; see `settle.lua`.
 */
export class Settlement {
  readonly #groups = new Map<Session, Group>();
  readonly #link: Link;
  readonly #keys: ShardKeys;

  constructor(link: Link, keys: ShardKeys) {
    this.#link = link;
    this.#keys = keys;
  }

  /**
   * Rejects with `Unavailable` when Redis does not come back before the deadline, and with `EpochChanged` when the
   * history was replaced; both are indeterminate.
   */
  outcome(lost: LostCommit, deadline: number): Promise<Outcome> {
    let group = this.#groups.get(lost.session);
    if (group === undefined) {
      group = {commits: [], outcome: this.#find(lost.session, deadline)};
      this.#groups.set(lost.session, group);
    }
    group.commits.push(lost);
    return group.outcome;
  }

  async #find(lost: Session, deadline: number): Promise<Outcome> {
    // All commits of a connection are rejected in the turn in which it ends.
    await turn();
    const {commits} = this.#groups.get(lost)!;
    this.#groups.delete(lost);
    const {epoch} = commits[0]!;
    const ids = commits.map((commit) => commit.id);
    const revisions = new Map<string, number>();
    let position = String(Math.min(...commits.map((commit) => commit.after)));
    let complete = true;
    for (;;) {
      const {session, answer} = await this.#link
        .retrying(async (session) => ({session, answer: await this.#look(session, lost, epoch, position, ids)}), deadline)
        .catch((error: StoreError) => {
          throw indeterminate(error);
        });
      const [word, upTo, whole, ...found] = answer;
      for (let index = 0; index < found.length; index += 2) revisions.set(found[index]!, Number(found[index + 1]));
      complete &&= whole === '1';
      if (word === 'Done' || revisions.size === ids.length) return {revisions, complete, session};
      position = upTo!;
    }
  }

  async #look(session: Session, lost: Session, epoch: string, after: string, ids: readonly string[]): Promise<string[]> {
    const reply = await session.run(scripts.settle, [this.#keys.head, this.#keys.log], [epoch, lost.id, after, String(pageSize), ...ids]);
    const answer = (reply as Buffer[]).map(String);
    if (answer[0] === 'EpochChanged') throw epochChangedError();
    return answer;
  }
}
