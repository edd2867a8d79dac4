import type {Interruptible, Task} from '../contracts/scheduler.js';

export type {Interruptible};

/**
 * Does work that may take long, and lets others go first where its task is due.
 *
 * @param next does the work up to its next yield; by default, as it is
 */
export async function inTurns<T>(
  work: Interruptible<T>,
  task: Pick<Task, 'yieldIfDue'>,
  next: () => IteratorResult<undefined, T> = () => work.next(),
): Promise<T> {
  for (;;) {
    const {done, value} = next();
    if (done) return value;
    const waiting = task.yieldIfDue();
    if (waiting) await waiting;
  }
}

/** As `inTurns`, without a promise where the work ends before its first yield, as nearly all does. */
export function inTurnsIfLong<T>(work: Interruptible<T>, task: Pick<Task, 'yieldIfDue'>): T | Promise<T> {
  const {done, value} = work.next();
  return done ? value : restInTurns(work, task);
}

async function restInTurns<T>(work: Interruptible<T>, task: Pick<Task, 'yieldIfDue'>): Promise<T> {
  const waiting = task.yieldIfDue();
  if (waiting) await waiting;
  return inTurns(work, task);
}

/** Does the same work in one go. */
export function atOnce<T>(work: Interruptible<T>): T {
  for (;;) {
    const {done, value} = work.next();
    if (done) return value;
  }
}

/** Work that may have to wait: it yields each promise that it waits for, and is given what that resolves to. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Does work, without a promise where it has nothing to wait for: for a small step a promise costs as much as the step itself. */
export function runSteps<T>(steps: Steps<T>): T | Promise<T> {
  const {done, value} = steps.next();
  return done ? value : restOfSteps(steps, value);
}

async function restOfSteps<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  for (let waiting = first; ;) {
    let next: IteratorResult<Promise<unknown>, T>;
    try {
      next = steps.next(await waiting);
    } catch (error) {
      // What the steps have thrown themselves has ended them, and is thrown again.
      next = steps.throw(error);
    }
    if (next.done) return next.value;
    waiting = next.value;
  }
}

/** For steps: a value, once it is there. */
export function* waited<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}
