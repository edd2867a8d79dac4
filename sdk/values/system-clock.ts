import type {Clock} from '../contracts/clock.js';

/** Timers of Node.js take no more (about 25 days): longer ones would fire at once. */
const longestTimerMillis = 2 ** 31 - 1;

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, call) => {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const part = Math.min(left, longestTimerMillis);
      timer = setTimeout(() => (left > part ? wait(left - part) : call()), part).unref();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};
