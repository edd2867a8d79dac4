/** What a contribution may have besides the methods of its contract: it is called when the server starts and stops. */
export interface Startable {
  /**
   * Called once, in dependency order, before the server listens. Has 30 seconds.
   *
   * @param signal fires when the start is given up, and just before `stop`
   * @throws Error in one sentence, and the server does not start
   */
  start?(signal: AbortSignal): void | Promise<void>;
  /**
   * The store has lost its data, an operator has accepted that, and the server goes on: makes again the objects that `start` sees to.
   * Called beside requests and other servers that do the same.
   */
  bootstrap?(signal: AbortSignal): void | Promise<void>;
  /** Called once after a `start` that succeeded, in reverse order. Has 10 seconds. */
  stop?(): void | Promise<void>;
}
