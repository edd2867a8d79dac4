import type {LogEntry, Scheduler, Task, TypeContents, TypeHistory} from '../../../sdk/index.js';
import {BufferPieces} from '../../../sdk/values/buffer-pieces.js';
import {CachedEntry, type EntryContext} from './cached-entry.js';
import {createTree, type SortedTree} from './sorted-tree.js';
import {TypeCache, type CacheBounds} from './type-cache.js';

/** Records or changes taken in between two looks at the clock. */
const betweenLooks = 32;

/** Memory that objects of the store share: one of them that stays holds as much, and all together no more than they took at first. */
const pieceBytes = 64 * 1024;

/**
 * Builds the cache of a type from its records in the store, in many turns of the event loop.
 *
 * @param readHistory reads the log with all values; called when the contents have been gone through
 * @param oldest revisions below this one count as compacted even if the store still has them
 * @returns undefined if the log was cut between the two reads, so that they do not connect: read again
 * @throws StoreError `Corrupt`
 */
export async function warmCache(
  context: EntryContext,
  contents: TypeContents,
  readHistory: () => Promise<TypeHistory>,
  oldest: number,
  position: () => number,
  settings: CacheBounds & {readonly scheduler: Scheduler},
  task: Task,
): Promise<TypeCache | undefined> {
  const tree = createTree();
  const damaged: CachedEntry[] = [];
  const pieces = new BufferPieces(pieceBytes);
  let count = 0;
  for (const record of contents.records) {
    if (count++ % betweenLooks === 0) await task.yieldIfDue();
    const entry = CachedEntry.ofRecord(context, record, pieces);
    tree.set(record.key, entry);
    if (entry.isDamaged) damaged.push(entry);
  }
  const history = await readHistory();
  if (history.floor > contents.revision) return undefined;
  bringUpTo(tree, damaged, context, history.entries, contents.revision);
  const left = damaged.filter((entry) => tree.get(entry.key) === entry);
  for (const {key} of left) tree.delete(key);
  const cache = new TypeCache(tree, history.revision, position, Math.max(history.floor, oldest), settings);
  for (const entry of left) cache.quarantine(entry);
  await fillWindow(cache, context, history.entries, task);
  return cache;
}

/** Applies the changes made while the contents were read: a record may be newer than the revision they were read at. Adds what is damaged. */
function bringUpTo(tree: SortedTree, damaged: CachedEntry[], context: EntryContext, entries: readonly LogEntry[], readAt: number): void {
  for (const {revision, key, value} of entries) {
    if (revision <= readAt || revision <= (tree.get(key)?.revision ?? 0)) continue;
    if (value === null) {
      tree.delete(key);
      continue;
    }
    const entry = CachedEntry.ofRecord(context, {key, revision, value});
    tree.set(key, entry);
    if (entry.isDamaged) damaged.push(entry);
  }
}

/** States shared by several events or the tree are built once. */
async function fillWindow(cache: TypeCache, context: EntryContext, entries: readonly LogEntry[], task: Task): Promise<void> {
  const last = new Map<string, CachedEntry | undefined>();
  for (const [index, entry] of entries.entries()) {
    if (index % betweenLooks === 0) await task.yieldIfDue();
    if (entry.revision <= cache.window.floor) continue;
    const {key, revision, time} = entry;
    const known = last.get(key);
    const previous = !entry.previous
      ? undefined
      : known?.revision === entry.previous.revision
        ? known
        : CachedEntry.ofRecord(context, {key, revision: entry.previous.revision, value: entry.previous.value!});
    const current = cache.get(key);
    const object =
      entry.value === null
        ? undefined
        : current?.revision === revision
          ? current
          : CachedEntry.ofRecord(context, {key, revision, value: entry.value});
    last.set(key, object);
    // To watches, a damaged state is an object that does not exist.
    const [shown, before] = [intact(object), intact(previous)];
    if (shown || before) cache.record({revision, time, key, object: shown, previous: before});
  }
}

function intact(entry: CachedEntry | undefined): CachedEntry | undefined {
  return entry?.isDamaged === true ? undefined : entry;
}
