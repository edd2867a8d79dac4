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
