import type {ApiObject} from '../objects/api-object.js';

/** One state of an object in the time that the server remembers. */
export interface ObjectVersion {
  /**
   * `ADDED`, `MODIFIED` and `DELETED` as in watches; `EXISTING` is the state before the oldest of these: what it was when the server's memory begins, or, where older versions were left out, before those
   * that are shown.
   */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'EXISTING';
  readonly resourceVersion: string;
  /** When the change was made, by the store's clock, in milliseconds since 1970; for `EXISTING` when that state was written. */
  readonly time: number;
  /** In the version that was asked for; undefined if it cannot be read. Nobody may change it. */
  readonly object: Readonly<ApiObject> | undefined;
}

/** What became of an object lately. */
export interface ObjectChanges {
  /** All changes after this resource version are known: about the last five minutes. */
  readonly after: string;
  /** Oldest first. */
  readonly versions: readonly ObjectVersion[];
  /** Changes that are known too and were left out, older than those that are here. */
  readonly leftOut: number;
}

/** How much `ObjectCache.changes` answers. The newest versions count first. */
export interface ChangeBounds {
  /** Most versions. */
  readonly versions: number;
  /** Most bytes of their JSON; one version is answered in any case. */
  readonly bytes: number;
}
