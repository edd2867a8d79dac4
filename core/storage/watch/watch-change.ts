import type {CachedObject} from '../cache/cached-object.js';
import type {ObjectView} from '../read/object-view.js';
import type {ObjectSelector} from '../read/object-selector.js';
import type {WindowEvent} from '../cache/window-event.js';
import type {ChangeType} from './frame-encoder.js';

/** The event that a watch gets for a change. */
export interface WatchChange {
  readonly type: ChangeType;
  readonly object: CachedObject;
}

/** The objects that must be ready to be seen before `watchChange` and an encoder can look at them. */
export function seenObjects({object, previous}: WindowEvent, selector: ObjectSelector): CachedObject[] {
  const one = (object ?? previous)!;
  if (!selector.matchesKey(one)) return [];
  return selector.view && object && previous ? [object, previous] : [one];
}

/**
 * The event of a change for watches with `selector`; undefined if there is none. An object that becomes
 * selected is `ADDED`; one that is no longer selected is `DELETED`, with the last selected state and the version of the change.
 */
export function watchChange(event: WindowEvent, selector: ObjectSelector, view?: ObjectView): WatchChange | undefined {
  const {object, previous} = event;
  const before = previous !== undefined && selector.matches(previous);
  if (object !== undefined && selector.matches(object)) return {type: before ? 'MODIFIED' : 'ADDED', object};
  return before ? {type: 'DELETED', object: (view?.convertedNow(previous) ?? previous).withRevision(event.revision)} : undefined;
}
