/** What the kernel calls on contributions of most kinds, if they have it. */
export interface Lifecycle {
  /** Called once before the server listens, in dependency order; has 30 seconds. */
  start?(signal: AbortSignal): void | Promise<void>;
  /** Called when the store has lost what a start makes. */
  bootstrap?(signal: AbortSignal): void | Promise<void>;
  /** Called once in reverse order, if `start` has succeeded; has 10 seconds. */
  stop?(): void | Promise<void>;
}
