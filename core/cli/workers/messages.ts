/** What the supervisor says to the processes that it has started. */
export type ToChild = StartWorker | StartStore | {readonly kind: 'connection' | 'retire' | 'stop'};

export interface StartWorker {
  readonly kind: 'worker';
  /** The command line of `orch serve`. */
  readonly args: readonly string[];
  readonly number: number;
  readonly workers: number;
  /** On which the supervisor listens. */
  readonly port: number;
  /** The URL of the store of the store process; undefined if each worker opens the store itself. */
  readonly store: string | undefined;
  /** Base64. */
  readonly ticketKeys: string;
}

export interface StartStore {
  readonly kind: 'store';
  readonly args: readonly string[];
  /** Where the store is handed on. */
  readonly url: string;
}

/** What they say to the supervisor. */
export type FromChild =
  | {readonly kind: 'ready'; readonly url: string; readonly kubeconfig: string}
  /** The store is open and handed on; or many may open it, and the process ends. */
  | {readonly kind: 'store'; readonly isHandedOn: boolean}
  /** So many of the connections that were handed on have been closed. */
  | {readonly kind: 'closed'; readonly count: number};
