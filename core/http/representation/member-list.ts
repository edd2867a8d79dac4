import type {RequestTask} from '../../registry/request-task.js';
import type {BodyParts} from '../response/response-buffers.js';
import type {ListFrame} from './list-pieces.js';

/** The members of a list and how they are written. */
export interface MemberList<T> {
  readonly items: readonly T[];
  readonly frame: ListFrame<T>;
  /** Number of items after which to check whether other requests should go first. */
  readonly itemsBetweenLooks: number;
  /** What stands around the whole, and depends on its length. */
  readonly envelope?: (length: number) => {readonly before: Buffer; readonly behind: Buffer};
  /** Whether the bytes of members are those of the cache, so that having them costs nothing. */
  readonly isShared?: boolean;
  /** Whether the length is known to clients before the first member. */
  readonly needsLength?: boolean;
}

/** The beginning of a list, or all of it. */
export interface ListStart {
  readonly parts: BodyParts;
  /** Of the parts. */
  readonly length: number;
  /** Index of the first member that is not among them. */
  readonly next: number;
}

const nothing = Buffer.alloc(0);

/** All of a list. */
export function allOf<T>(task: RequestTask, list: MemberList<T>): Promise<ListStart> {
  return startOf(task, list, Infinity);
}

/**
 * Writes one member after the other, until they have so many bytes. If there are many, or they are large, other requests get their turn in between. The tail is there if all
 * members are.
 */
export async function startOf<T>(task: RequestTask, {items, frame, itemsBetweenLooks}: MemberList<T>, most: number): Promise<ListStart> {
  const {head, separator, tail, skip = 0} = frame;
  const members: Buffer[] = [];
  let length = head.length;
  let next = 0;
  // No pairs of index and item: most of what a long list left to the garbage collector were those.
  for (; next < items.length && length < most; next += 1) {
    const item = items[next]!;
    if (next % itemsBetweenLooks === 0) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    const made = frame.item(item, task);
    const member = made instanceof Promise ? await made : made;
    members.push(member);
    length += member.length - skip;
    if (next > 0) length += separator.length;
  }
  if (next < items.length) return {parts: {head, members, skip, separator, tail: nothing}, length, next};
  return {parts: {head, members, skip, separator, tail}, length: length + tail.length, next};
}

/** Bytes of the members from `next` on, with what stands between and behind them. */
export async function lengthOfRest<T>(task: RequestTask, {items, frame, itemsBetweenLooks}: MemberList<T>, next: number): Promise<number> {
  const {tail, separator, skip = 0} = frame;
  let length = tail.length + (separator.length - skip) * (items.length - next);
  for (let index = next; index < items.length; index += 1) {
    if (index % itemsBetweenLooks === 0) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    const made = frame.item(items[index]!, task);
    length += (made instanceof Promise ? await made : made).length;
  }
  return length;
}

/** The members from `next` on, in batches of about so many bytes, each of which is made when it is asked for. @param behind what ends the whole */
export async function* restOf<T>(
  task: RequestTask,
  {items, frame, itemsBetweenLooks}: MemberList<T>,
  next: number,
  bytes: number,
  behind: Buffer,
): AsyncGenerator<BodyParts, void, void> {
  const {separator, tail, skip = 0} = frame;
  let members: Buffer[] = [];
  let length = 0;
  for (let index = next; index < items.length; index += 1) {
    if (index % itemsBetweenLooks === 0) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    const made = frame.item(items[index]!, task);
    const member = made instanceof Promise ? await made : made;
    members.push(member);
    length += separator.length + member.length - skip;
    if (length < bytes) continue;
    yield {head: separator, members, skip, separator, tail: nothing};
    members = [];
    length = 0;
  }
  yield {head: members.length > 0 ? separator : nothing, members, skip, separator, tail: Buffer.concat([tail, behind])};
}
