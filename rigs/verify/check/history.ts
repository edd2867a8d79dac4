/** What one client did with one object, as it saw it. Times are of one monotonic clock. */
export interface Operation {
  readonly client: number;
  readonly key: string;
  readonly called: number;
  /** Infinity if no answer came: it may take effect at any time, or never. */
  readonly returned: number;
  readonly action: Action;
  readonly answer: Answer;
}

/** Each write writes a value that nobody else writes. `expected` is the value that was at the version with which the write was sent, `at`. */
export type Action =
  | {readonly kind: 'create'; readonly value: string}
  | {readonly kind: 'update'; readonly value: string; readonly expected: string; readonly at?: number}
  | {readonly kind: 'delete'; readonly expected: string; readonly at?: number}
  | {readonly kind: 'get'};

export type Answer =
  /** `value` is what a get found; `version` is that of a get, a create or an update. */
  | {readonly kind: 'ok'; readonly value?: string; readonly version?: number}
  | {readonly kind: 'exists'}
  | {readonly kind: 'conflict'}
  | {readonly kind: 'missing'}
  | {readonly kind: 'unknown'};

/** An object at a version, wherever a client saw it. */
export interface Sighting {
  readonly version: number;
  readonly key: string;
  /** The bytes, or what stands for them; for the event of a deletion, those that were deleted. */
  readonly value: string;
  readonly deleted: boolean;
}

export type WatchEntry =
  | (Sighting & {readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'})
  | {readonly type: 'BOOKMARK'; readonly version: number};

/** One watch, from a version until its connection ended. */
export interface WatchHistory {
  readonly watcher: number;
  readonly from: number;
  readonly entries: readonly WatchEntry[];
  /** The server said that the version is too old. */
  readonly expired: boolean;
}

/** What is wrong with a history, in one sentence. */
export type Fault = string;

/** The part of an object that the checkers look at. */
export interface KnownObject {
  readonly metadata: {readonly name: string; readonly resourceVersion: string};
  readonly data?: {readonly value?: string; readonly intent?: string};
}
