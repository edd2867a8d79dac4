import type {ChangeBounds} from '../../../sdk/index.js';
import type {CachedEntry} from '../cache/cached-entry.js';
import type {TypeCache} from '../cache/type-cache.js';
import type {WindowEvent} from '../cache/window-event.js';

/** One of the last versions of an object, as it is in the cache. */
export interface RecentVersion {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'EXISTING';
  readonly revision: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** For a deletion the last state. */
  readonly entry: CachedEntry;
}

export interface RecentVersions {
  /** All changes above this revision are known. */
  readonly floor: number;
  /** Oldest first. */
  readonly versions: readonly RecentVersion[];
  readonly leftOut: number;
}

/** The versions of an object within the window of events, the newest ones up to the bounds, and the state before the oldest of them. */
export function recentVersions(cache: TypeCache, key: string, bounds: ChangeBounds): RecentVersions {
  const {window} = cache;
  const {floor} = window;
  const versions: RecentVersion[] = [];
  let bytes = 0;
  let leftOut = 0;
  let isFull = false;
  let before: CachedEntry | undefined;
  window.backwards(floor, Infinity, (event) => {
    if (event.key !== key) return;
    const version = versionOf(event);
    isFull ||= versions.length > 0 && (versions.length >= bounds.versions || bytes + version.entry.size > bounds.bytes);
    if (isFull) {
      leftOut += 1;
      return;
    }
    bytes += version.entry.size;
    versions.push(version);
    before = event.previous;
  });
  const existing = versions.length === 0 ? cache.get(key) : before;
  if (existing) versions.push({type: 'EXISTING', revision: existing.revision, time: existing.writtenAt, entry: existing});
  return {floor, versions: versions.reverse(), leftOut};
}

function versionOf({object, previous, revision, time}: WindowEvent): RecentVersion {
  if (!object) return {type: 'DELETED', revision, time, entry: previous!};
  return {type: previous ? 'MODIFIED' : 'ADDED', revision, time, entry: object};
}
