/** How HTTP/2 is served. */
export interface Http2Settings {
  /** The part of requests with which their connection ends, so that clients spread over several servers. */
  readonly goawayChance: number;
  /** Whether a connection ends with the request of a caller who is nobody (the gate UnauthenticatedHTTP2DOSMitigation). */
  readonly endsAnonymous: boolean;
}
