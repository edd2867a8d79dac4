/** From the supervisor to the processes that it has started. */
export type ToChild =
  | StartWorker
  | StartStore
  | {readonly kind: 'connection' | 'retire' | 'stop'}
  /** To be answered with `metrics` and the same id. */
  | {readonly kind: 'report-metrics'; readonly id: number; readonly form: MetricsForm}
  /** The answer to `ask-metrics`. */
  | {readonly kind: 'metrics-of-others'; readonly id: number; readonly texts: readonly ProcessText[]};

export type MetricsForm = 'text' | 'openMetrics';

export interface ProcessText {
  readonly process: string;
  readonly text: string;
}

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

/** From these processes to the supervisor. */
export type FromChild =
  | {readonly kind: 'ready'; readonly url: string; readonly kubeconfig: string}
  /** The store is open and handed on; or many may open it, and the process ends. */
  | {readonly kind: 'store'; readonly isHandedOn: boolean}
  /** Asks for the metrics of the other workers. */
  | {readonly kind: 'ask-metrics'; readonly id: number; readonly form: MetricsForm}
  | {readonly kind: 'metrics'; readonly id: number; readonly text: string}
  /** So many of the connections that were handed on have been closed. */
  | {readonly kind: 'closed'; readonly count: number};
