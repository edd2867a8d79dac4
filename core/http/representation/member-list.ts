import type {RequestTask} from '../../registry/request-task.js';
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
  /** Whether a member is written as it is stored, so that its bytes depend on nothing else. */
  readonly isShownAsStored?: (item: T) => boolean;
  /** Whether the length is known to clients before the first member. */
  readonly needsLength?: boolean;
}

/** The beginning of a list, or all of it. */
export interface ListStart {
  readonly parts: Buffer[];
  /** Of the parts. */
  readonly length: number;
  /** Index of the first member that is not among them. */
  readonly next: number;
}

/** All of a list. */
export function allOf<T>(task: RequestTask, list: MemberList<T>): Promise<ListStart> {
  return startOf(task, list, Infinity);
}

/**
 * Writes one member after the other, until they have so many bytes. If there are many, or they are large, other requests get their turn in between. The tail is there if all
 * members are.
 */
export async function startOf<T>(task: RequestTask, {items, frame, itemsBetweenLooks}: MemberList<T>, most: number): Promise<ListStart> {
  const {head, separator, tail} = frame;
  const parts: Buffer[] = [head];
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
    const part = made instanceof Promise ? await made : made;
    if (next > 0 && separator.length > 0) {
      parts.push(separator);
      length += separator.length;
    }
    parts.push(part);
    length += part.length;
  }
  if (next < items.length) return {parts, length, next};
  parts.push(tail);
  return {parts, length: length + tail.length, next};
}

/** Bytes of the members from `next` on, with what stands between and behind them. */
export async function lengthOfRest<T>(task: RequestTask, {items, frame, itemsBetweenLooks}: MemberList<T>, next: number): Promise<number> {
  let length = frame.tail.length + frame.separator.length * (items.length - next);
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
): AsyncGenerator<Buffer[], void, void> {
  const {separator, tail} = frame;
  let batch: Buffer[] = [];
  let length = 0;
  for (let index = next; index < items.length; index += 1) {
    if (index % itemsBetweenLooks === 0) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    const made = frame.item(items[index]!, task);
    const part = made instanceof Promise ? await made : made;
    if (separator.length > 0) batch.push(separator);
    batch.push(part);
    length += separator.length + part.length;
    if (length < bytes) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  batch.push(tail, behind);
  yield batch;
}
