import type {Task} from '../../../sdk/index.js';
import type {Follower} from './follower.js';
import {logEntry, type LogHead} from './record-codec.js';
import type {Session} from './session.js';
import type {ShardKeys} from './shard-keys.js';
import {readValues} from './value-reader.js';

/** Why a delivery stopped before its end. */
export interface MissingValue {
  /** The last revision that was delivered. */
  readonly position: number;
  /** The floor of the log when the value was missed. */
  readonly floor: number;
}

/** So many entries are handed on before the time is looked at. Those that nobody wants cost next to nothing. */
const piece = 16;
/** Entries that are searched for wanted values at a time, again after each yield. */
const ahead = 512;

/**
 * Delivers entries of the log to followers. Values are read only for entries that a follower wants; the others are skipped. Works in
 * parts if the values do not fit into one reply.
 *
 * @param values what is known of the values already, by revision; emptied as they are delivered
 * @param followers called for each part, because they may change in between
 * @param delivered called after each part with the revision up to which everything has been delivered, and whether anything of it was wanted
 * @returns undefined when all entries have been delivered
 * @throws StoreError `EpochChanged`
 */
export async function deliverLog(
  session: Session,
  keys: ShardKeys,
  epoch: string,
  heads: readonly LogHead[],
  followers: () => Iterable<Follower>,
  values: Map<number, Buffer>,
  task: Task,
  delivered: (upTo: number, isWanted: boolean) => void,
): Promise<MissingValue | undefined> {
  let next = 0;
  task.begin();
  while (next < heads.length) {
    let end = Math.min(heads.length, next + ahead);
    let wanted = heads.slice(next, end).filter((head) => isWanted(head, followers()));
    const unread = wanted.filter((head) => !head.isDeletion && !values.has(head.revision));
    if (unread.length > 0) {
      const page = await readValues(session, keys, epoch, unread);
      for (const [index, value] of page.values.entries()) {
        const {revision} = unread[index]!;
        if (value === null) {
          const before = heads.findIndex((head) => head.revision === revision) - 1;
          return {position: before < next ? heads[next]!.revision - 1 : heads[before]!.revision, floor: page.floor};
        }
        values.set(revision, value);
      }
      // A follower that has joined since may want more.
      if (page.values.length === unread.length) continue;
      const {revision} = unread[page.values.length]!;
      end = heads.findIndex((head) => head.revision === revision);
      if (end === next) continue;
      wanted = wanted.filter((head) => head.revision < revision);
    }
    while (next < end) {
      const part = wanted.splice(0, piece);
      const last = wanted.length === 0 ? heads[end - 1]! : part.at(-1)!;
      const entries = part.map((head) => logEntry(head, values.get(head.revision) ?? null));
      for (const follower of [...followers()]) follower.deliver(entries, last.revision);
      for (const {revision} of part) values.delete(revision);
      next = heads.indexOf(last, next) + 1;
      delivered(last.revision, part.length > 0);
      const turn = next < heads.length ? task.yieldIfDue() : undefined;
      if (!turn) continue;
      await turn;
      // A follower that has joined since may want values of the rest.
      break;
    }
  }
  return undefined;
}

/** Whether any follower is to get an entry. */
export function isWanted(head: LogHead, followers: Iterable<Follower>): boolean {
  if (head.isAdvance) return false;
  for (const follower of followers) if (follower.wants(head)) return true;
  return false;
}
