/** How HTTP/2 is served. */
export interface Http2Settings {
  /** The part of requests with which their connection ends, so that clients spread over several servers. */
  readonly goawayChance: number;
}
