import type {Fault, WatchEntry, WatchHistory} from './history.js';

/** A change that is known from elsewhere, for example from the answer to a write. */
export interface KnownChange {
  readonly version: number;
  readonly key: string;
}

/**
 * Each watch has the changes in order, each once, without a gap between where it began and the last version of which it told; bookmarks
 * are no further than what was told; and an object is added before it is modified or deleted. What one watch, or a writer, knows to
 * have happened, all others must have been told that passed it.
 */
export function checkWatches(watches: readonly WatchHistory[], written: readonly KnownChange[] = []): Fault[] {
  const known = new Map<number, string>();
  for (const {version, key} of written) known.set(version, key);
  for (const {entries} of watches) for (const entry of entries) if (entry.type !== 'BOOKMARK') known.set(entry.version, entry.key);
  const versions = [...known.keys()].sort((one, other) => one - other);
  return watches.flatMap((watch) => [...orderFaults(watch), ...gapFaults(watch, versions, known)]);
}

function orderFaults({watcher, from, entries}: WatchHistory): Fault[] {
  const faults: Fault[] = [];
  const told = new Set<number>();
  const present = new Map<string, boolean>();
  let last = from;
  let bookmark = false;
  for (const entry of entries) {
    const {version} = entry;
    if (entry.type === 'BOOKMARK') {
      if (version < last) faults.push(`watcher ${watcher}: the bookmark ${version} comes after version ${last}`);
    } else {
      if (told.has(version)) faults.push(`watcher ${watcher}: version ${version} is told twice`);
      else if (version <= last)
        faults.push(`watcher ${watcher}: version ${version} comes after ${bookmark ? 'the bookmark' : 'version'} ${last}`);
      told.add(version);
      const was = present.get(entry.key);
      if (was !== undefined && was !== (entry.type !== 'ADDED')) {
        faults.push(
          `watcher ${watcher}: ${entry.key} is ${entry.type} at version ${version}, and ${was ? 'existed' : 'did not exist'} before`,
        );
      }
      present.set(entry.key, entry.type !== 'DELETED');
    }
    bookmark = entry.type === 'BOOKMARK' && version >= last;
    last = Math.max(last, version);
  }
  return faults;
}

function gapFaults({watcher, from, entries}: WatchHistory, versions: readonly number[], known: ReadonlyMap<number, string>): Fault[] {
  const told = new Set(entries.filter(isChange).map(({version}) => version));
  const upTo = entries.reduce((most, {version}) => Math.max(most, version), from);
  return versions
    .slice(firstAbove(versions, from), firstAbove(versions, upTo))
    .filter((version) => !told.has(version))
    .map((version) => `watcher ${watcher}: version ${version} (${known.get(version)}) is missing between ${from} and ${upTo}`);
}

/** What a client that follows holds in the end must be what there is: nothing that is gone, nothing left out. */
export function checkConverged(watcher: number, held: ReadonlyMap<string, string>, real: ReadonlyMap<string, string>): Fault[] {
  const faults: Fault[] = [];
  for (const [key, value] of held) {
    const actual = real.get(key);
    if (actual === undefined) faults.push(`watcher ${watcher} still holds ${key} = ${value}, which is gone: nobody told it`);
    else if (actual !== value) faults.push(`watcher ${watcher} holds ${key} = ${value}, and it is ${actual}: nobody told it`);
  }
  for (const key of real.keys()) if (!held.has(key)) faults.push(`watcher ${watcher} was never told of ${key}`);
  return faults;
}

function isChange(entry: WatchEntry): entry is Exclude<WatchEntry, {type: 'BOOKMARK'}> {
  return entry.type !== 'BOOKMARK';
}

/** Position of the first number above a bound. */
function firstAbove(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
