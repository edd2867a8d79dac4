import type {LoopFigures} from './watchdog/loop-watchdog.js';

/** What a server can tell about itself, for whoever measures. */
export interface HttpFigures {
  /** Open ones, those whose handshake is under way included. */
  readonly connections: number;
  /** Of answers that are made and not sent, and of requests behind them. */
  readonly unsentBytes: number;
  /** Of bodies of requests that are received or served. */
  readonly bodyBytes: number;
  /** How often each limit has acted, by its name. */
  readonly limitsActed: ReadonlyMap<string, number>;
  readonly loop: LoopFigures;
}
