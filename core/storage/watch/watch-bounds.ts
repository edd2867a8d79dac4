export interface WatchBounds {
  /** A watch whose client has more than this waiting to be sent is ended; 8 MiB by default. */
  readonly maximumQueuedBytes: number;
  /** While a watch sends existing objects or old events it pauses when so much is waiting to be sent; 256 KiB by default. */
  readonly pauseAtQueuedBytes: number;
  /** Longest time that events wait for others to be sent together under load, in milliseconds; 6 by default. */
  readonly maximumDelayMillis: number;
  /** Time between bookmarks, in milliseconds; a minute by default. Each watch takes up to a quarter less. */
  readonly bookmarkMillis: number;
}
