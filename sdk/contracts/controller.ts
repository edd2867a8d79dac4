/**
 * A loop that brings objects to their desired state. Contributed by a plugin as a class decorated with `@controller`.
 * It works through `ResourceClient` only; with several servers on one store it must tolerate that others do the same.
 */
export interface Controller {
  /** Starts the loop; resolves when it is running. Called once the server serves requests. */
  start(signal: AbortSignal): Promise<void>;
  /**
   * The store has lost its data, an operator has accepted that, and the server goes on: makes again the objects that `start` sees to.
   * Called beside requests and other servers that do the same.
   */
  bootstrap?(signal: AbortSignal): Promise<void>;
  /** Stops the loop; resolves when no work is left. */
  stop(): Promise<void>;
}
