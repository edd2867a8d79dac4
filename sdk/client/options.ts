/** Options of every call. */
export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface GetOptions extends CallOptions {
  /** At least as new as this version; `0` means any version in the server's cache; absent means most recent. */
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
  /** Items per page. */
  readonly limit?: number;
  /** Token from the previous page. */
  readonly continue?: string;
  /** How long the server may take. */
  readonly timeoutSeconds?: number;
}

export interface PageOptions extends Omit<ListOptions, 'continue'> {
  /**
   * What happens if the server no longer has the state of the pages (410): `throw`, or `restart` with the first page of a newer state. The
   * first page after a restart has `restarted` set: discard the pages before it.
   */
  readonly onExpired?: 'throw' | 'restart';
}

export interface WatchOptions extends SelectOptions {
  /** Starts after this version. If absent or `0`, the watch starts with an `ADDED` event for each existing object. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  /** Asks for `BOOKMARK` events. True by default. */
  readonly allowWatchBookmarks?: boolean;
  /** The server ends the watch after this time. */
  readonly timeoutSeconds?: number;
}

export interface WriteOptions extends CallOptions {
  /** Everything is executed, but nothing is stored. */
  readonly dryRun?: boolean;
  /** The owner of the fields; derived from the user agent by default. */
  readonly fieldManager?: string;
  /** How unknown and duplicate fields are handled. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take ownership of fields that others own instead of failing with a conflict. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  /** The object must have this uid and version, otherwise the call fails with a conflict. */
  readonly preconditions?: {readonly uid?: string; readonly resourceVersion?: string};
}

export interface DeleteCollectionOptions extends Omit<DeleteOptions, 'preconditions'>, SelectOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}
