/**
 * What work is done for. `delivery` notifies waiting writers and followers of durable changes, `request` answers a client, `background` is everything that nobody
 * waits for: controllers, caches being filled, clean-up.
 */
export type WorkKind = 'delivery' | 'request' | 'background';

/** Work that shares the event loop with everything else the server does. */
export interface Task {
  readonly kind: WorkKind;
  /** What the log of slow turns calls it. */
  readonly name: string;
  /** Whose work it is; undefined for the server's own. */
  readonly plugin: string | undefined;
  /** Whether its budget for this turn of the event loop is used up. */
  readonly isDue: boolean;
  /** Work begins here, or continues after it has waited for something else: its time in this turn of the event loop counts from now. */
  begin(): void;
  /**
   * To be called between two pieces of work. Undefined while the task may go on; once its budget for this turn of the event loop is used up, a promise that resolves in a
   * later turn.
   */
  yieldIfDue(): Promise<void> | undefined;
  /** Resolves in a later turn of the event loop, as before a piece of work that is known to take long. */
  yield(): Promise<void>;
}

/** Work that others may interrupt at each yield. */
export type Interruptible<T> = Generator<undefined, T, undefined>;

/** Divides the turns of the event loop between the work of one server. */
export interface Scheduler {
  /** @param name what the log of slow turns calls the work */
  task(kind: WorkKind, name: string): Task;
  /** Work of controllers that is under way or waits for its turn, for tests that wait until none is left. Absent where nobody asks. */
  readonly activity?: Activity;
}

/** Counts pieces of work that have begun and not ended. */
export interface Activity {
  begin(): void;
  end(): void;
}
