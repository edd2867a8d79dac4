/** What has to hold during every attack, and behind it. */
export interface Bounds {
  /** 99th percentile of the reads of a client of `system:masters`, in milliseconds. */
  readonly p99Millis: number;
  /** Longest time until `/livez` answers over a new connection, in milliseconds. */
  readonly livezMillis: number;
  /** Resident memory of the server at any time, in megabytes. */
  readonly residentMegabytes: number;
  /** Within this time behind the attack the server is back near idle, in seconds. */
  readonly idleSeconds: number;
  /** Near idle: at most so much more resident memory than before the first attack, in megabytes. */
  readonly idleMegabytes: number;
  /** Near idle: at most this share of one processor. */
  readonly idleCpu: number;
}

/** Heap of the server that is attacked, in megabytes. */
export const heapMegabytes = 300;

export const standardBounds: Bounds = {
  p99Millis: 250,
  livezMillis: 2_000,
  residentMegabytes: 400,
  idleSeconds: 10,
  idleMegabytes: 150,
  idleCpu: 0.1,
};
