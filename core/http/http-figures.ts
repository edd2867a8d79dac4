import type {LoopFigures} from './watchdog/loop-watchdog.js';

/** What a server reports about itself, for metrics. */
export interface HttpFigures {
  /** Open connections, including those still in their handshake. */
  readonly connections: number;
  /** Bytes of unsent responses, and of requests that wait behind them. */
  readonly unsentBytes: number;
  /** Bytes of request bodies that are being received or processed. */
  readonly bodyBytes: number;
  /** Bytes of large heads of requests that are arriving or in progress. */
  readonly headBytes: number;
  /** How often each limit has taken effect, by name. */
  readonly limitsActed: ReadonlyMap<string, number>;
  readonly loop: LoopFigures;
}
