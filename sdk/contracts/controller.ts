/**
 * A loop that brings objects to their desired state. Contributed by a plugin as a class decorated with `@controller`. It works through `ResourceClient`
 * only. What the manifest says of it decides whether it runs on one server of a store at a time (the default) or on all of them.
 *
 * An instance is started once: for a later term, and after a failure, there is a new one.
 */
export interface Controller {
  /**
   * Whether the settings can work. Called before the server is ready, whether the controller will run here or not.
   *
   * @throws Error in one sentence, and the server does not start
   */
  check?(): Promise<void>;
  /**
   * Starts the loop; resolves when it is running. Called once the server serves requests and leads. What fails from then on is logged and started again
   * after a pause; it does not end the server.
   */
  start(signal: AbortSignal): Promise<void>;
  /**
   * The store has lost its data, an operator has accepted that, and the server goes on: makes again the objects that `start` sees to.
   * Called beside requests and other servers that do the same.
   */
  bootstrap?(signal: AbortSignal): Promise<void>;
  /** Stops the loop; resolves when no work is left. What is written after that is refused. */
  stop(): Promise<void>;
}
