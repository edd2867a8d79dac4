import type {Reply} from './drivers/redis-driver.js';
import type {LogHead} from './record-codec.js';
import {scripts} from './script.js';
import type {Session} from './session.js';
import {epochChangedError} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

/** Bytes after which Redis ends a reply with values, so that neither it nor this process holds a whole backlog. */
const answerBytes = 2 * 1024 * 1024;
/** Values asked for in one call. */
const pageSize = 512;
/** The number of the first key of values in the call: Lua counts from one, and head and log come before. */
const before = 3;

/** Names a value. */
export type ValueRef = Pick<LogHead, 'type' | 'revision'>;

export interface ValuePage {
  /** The log is complete above this revision. */
  readonly floor: number;
  /** At least one, in the order of the request; null for a value that has been removed. */
  readonly values: readonly (Buffer | null)[];
}

/**
 * Reads the first of the named values, as many as go into one answer.
 *
 * @throws StoreError `EpochChanged`
 */
export async function readValues(session: Session, keys: ShardKeys, epoch: string, wanted: readonly ValueRef[]): Promise<ValuePage> {
  const page = wanted.slice(0, pageSize);
  const types: string[] = [];
  const runs: string[] = [];
  let current: string | undefined;
  /** Where the number of values of the current run stands, and what it is. */
  let at = 0;
  let count = 0;
  for (const {type, revision} of page) {
    if (type !== current) {
      current = type;
      if (!types.includes(type)) types.push(type);
      at = runs.push(String(before + types.indexOf(type)), '') - 1;
      count = 0;
    }
    runs.push(String(revision));
    runs[at] = String(++count);
  }
  const names = [keys.head, keys.log, ...types.map((type) => keys.values(type))];
  const reply = await session.run(scripts.values, names, [epoch, String(answerBytes), ...runs]);
  const [first, ...values] = reply as [Buffer, ...Reply[]];
  if (String(first) === 'EpochChanged') throw epochChangedError();
  return {floor: Number(String(first)), values: values as (Buffer | null)[]};
}
