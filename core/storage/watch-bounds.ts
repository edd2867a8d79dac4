export interface WatchBounds {
  /** A watch with more unsent bytes than this is ended; 8 MiB by default. */
  readonly maximumQueuedBytes: number;
  /** While a watch sends existing objects or old events, it pauses at this many unsent bytes; 256 KiB by default. */
  readonly pauseAtQueuedBytes: number;
  /** Maximum time that events wait under load to be sent together, in milliseconds; 6 by default. */
  readonly maximumDelayMillis: number;
  /** Time between bookmarks, in milliseconds; a minute by default. Each watch takes up to a quarter less. */
  readonly bookmarkMillis: number;
}
