import type {Clock} from '../../../../sdk/index.js';

export interface WaitOptions {
  /** Whether it is there. What it throws ends the wait. */
  readonly isDone: () => boolean;
  /** What `isDone` looks at. */
  readonly followed: {
    /** Calls back after each change, until the function that it returns is called. */
    onChange(look: () => void): () => void;
  };
  readonly clock: Clock;
  /** How long it may take, in milliseconds. */
  readonly millis: number;
  /** With what the wait fails after that. */
  readonly tooLate: string;
  readonly signal: AbortSignal;
}

/** Waits for what others do. @throws Error of `isDone`, after the time, and when the signal fires */
export function waitForChange({isDone, followed, clock, millis, tooLate, signal}: WaitOptions): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  const look = (): void => {
    try {
      if (isDone()) resolve();
    } catch (error) {
      reject(error as Error);
    }
  };
  const end = followed.onChange(look);
  const callOff = clock.after(millis, () => reject(new Error(tooLate)));
  const stop = () => reject(new Error('the scheduler stops'));
  signal.addEventListener('abort', stop, {once: true});
  if (signal.aborted) stop();
  else look();
  return promise.finally(() => {
    end();
    callOff();
    signal.removeEventListener('abort', stop);
  });
}
