/** The current time and timers: the system's, or a clock that tests move. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once, after some milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, call: () => void): () => void;
}
