import type {KnownPod} from '../model/known-pod.js';

/** A pod that is to be placed. */
export interface QueuedPod {
  readonly pod: KnownPod;
  /** When it came to where it is, in milliseconds since 1970. */
  readonly since: number;
  /** For pods of one millisecond. */
  readonly order: number;
  /** Attempts that have failed, since the last success of the scheduler's own work for errors. */
  readonly attempts: number;
  /** Names of the filters that refused it last; empty if none did, as without nodes. */
  readonly refusedBy: ReadonlySet<string>;
}
