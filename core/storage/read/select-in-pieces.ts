import type {Task} from '../../../sdk/index.js';
import type {CachedEntry} from '../cache/cached-entry.js';
import type {ObjectSelector} from './object-selector.js';
import {selectObjects, type SelectedPart} from './select-objects.js';
import type {SortedTree} from '../cache/sorted-tree.js';

/** Number of objects made ready at once, or looked at between two looks at the clock. */
const objectsAtOnce = 500;

/**
 * Like `selectObjects`, for selectors on a view of the objects, and for so many objects that to look at all of them takes more than a turn of the event loop.
 *
 * @param tree a state that does not change during the call
 */
export async function selectInPieces(
  tree: SortedTree,
  selector: ObjectSelector,
  namespaced: boolean,
  after: string | undefined,
  limit: number,
  task: Task,
): Promise<SelectedPart> {
  const selected: CachedEntry[] = [];
  for (let position = after; ;) {
    const {items, more} = selectObjects(tree, selector, namespaced, position, objectsAtOnce, true);
    if (selector.view) await selector.view.prepare(items);
    for (const item of items) {
      if (!selector.matchesSelectors(item)) continue;
      if (selected.length >= limit) return {items: selected, more: true};
      selected.push(item);
    }
    if (!more) return {items: selected, more: false};
    position = items.at(-1)!.key;
    await task.yieldIfDue();
  }
}
