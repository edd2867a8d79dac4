/** What any call takes. */
export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface GetOptions extends CallOptions {
  /** Not older than this version; `0` takes what the server has in memory; absent means most recent. */
  readonly resourceVersion?: string;
}

/** A selector as text (`app=web,tier!=cache`), or labels that must all be equal. */
export type Selector = string | Readonly<Record<string, string>>;

export interface SelectOptions extends CallOptions {
  readonly labelSelector?: Selector;
  readonly fieldSelector?: Selector;
}

export interface ListOptions extends SelectOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** Items of one page. */
  readonly limit?: number;
  /** Token of the page before. */
  readonly continue?: string;
  /** How long the server may take. */
  readonly timeoutSeconds?: number;
}

export interface PageOptions extends Omit<ListOptions, 'continue'> {
  /**
   * What happens when the server no longer knows the state that the pages show (410): `throw`, or `restart` with the first
   * page of a newer state. The first page after a restart has `restarted` set: discard the pages before it.
   */
  readonly onExpired?: 'throw' | 'restart';
}

export interface WatchOptions extends SelectOptions {
  /** Starts after this version. Without, or with `0`, the watch begins with an `ADDED` event for each object there is. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** Asks for `BOOKMARK` events. True by default. */
  readonly allowWatchBookmarks?: boolean;
  /** After this time the server ends the watch. */
  readonly timeoutSeconds?: number;
}

export interface WriteOptions extends CallOptions {
  /** Everything runs, nothing is kept. */
  readonly dryRun?: boolean;
  /** Under which name the fields are owned; derived from the user agent by default. */
  readonly fieldManager?: string;
  /** What happens with unknown and duplicate fields. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take over fields that others own instead of failing with a conflict. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  /** The object must have this identity and version, else the call fails with a conflict. */
  readonly preconditions?: {readonly uid?: string; readonly resourceVersion?: string};
}

export interface DeleteCollectionOptions extends Omit<DeleteOptions, 'preconditions'>, SelectOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}
