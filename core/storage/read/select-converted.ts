import type {CachedEntry} from '../cache/cached-entry.js';
import type {ObjectSelector} from './object-selector.js';
import {selectObjects, type SelectedPart} from './select-objects.js';
import type {SortedTree} from '../cache/sorted-tree.js';

/** Number of objects made ready at once. */
const objectsAtOnce = 500;

/**
 * Like `selectObjects`, for selectors on a view of the objects.
 *
 * @param tree a state that does not change during the call
 */
export async function selectConverted(
  tree: SortedTree,
  selector: ObjectSelector,
  namespaced: boolean,
  after: string | undefined,
  limit: number,
): Promise<SelectedPart> {
  const selected: CachedEntry[] = [];
  for (let position = after; ;) {
    const {items, more} = selectObjects(tree, selector, namespaced, position, objectsAtOnce);
    await selector.view!.prepare(items);
    for (const item of items) {
      if (!selector.matchesSelectors(item)) continue;
      if (selected.length >= limit) return {items: selected, more: true};
      selected.push(item);
    }
    if (!more) return {items: selected, more: false};
    position = items.at(-1)!.key;
  }
}
