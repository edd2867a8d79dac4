/**
 * A loop that brings objects to their desired state. Contributed by a plugin as a class decorated with `@controller`.
 * It works through `ResourceClient` only; with several servers on one store it must tolerate that others do the same.
 */
export interface Controller {
  /** Begins to work; resolves when it runs. Called once the server answers requests. */
  start(signal: AbortSignal): Promise<void>;
  /** Ends all work; resolves when nothing of it is left. */
  stop(): Promise<void>;
}
