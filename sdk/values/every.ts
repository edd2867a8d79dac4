import {AsyncResource} from 'node:async_hooks';

interface Beat {
  readonly period: number;
  readonly works: Set<() => void>;
  /** When it is due, by the clock of this process. */
  due: number;
}

const beats = new Map<number, Beat>();
let timer: NodeJS.Timeout | undefined;
/** What is due within so many milliseconds is due now. */
const slackMillis = 3;

/**
 * Like `setInterval` with `unref`, but all periods share one timer and beat at their multiples, so that an idle process is woken once for all that is due. The first call comes after a part of the period. An exception of one does not affect the others.
 *
 * @param millis period in milliseconds
 * @returns stops it
 */
export function every(millis: number, work: () => void): () => void {
  // In the context of the caller, to which exceptions are attributed.
  const called = AsyncResource.bind(() => {
    try {
      work();
    } catch (error) {
      setImmediate(() => {
        throw error;
      });
    }
  }, 'every');
  const beat = beats.get(millis) ?? newBeat(millis);
  beat.works.add(called);
  return () => {
    if (!beat.works.delete(called) || beat.works.size > 0) return;
    beats.delete(millis);
    wait();
  };
}

/** Milliseconds until the next multiple of a period, by the clock of this process: what waits for that is done with everything else that does. */
export function untilBeat(period: number): number {
  const now = performance.now();
  return Math.ceil(dueAfter(now, period) - now);
}

function dueAfter(now: number, period: number): number {
  const slack = Math.min(slackMillis, period / 2);
  return (Math.floor((now + slack) / period) + 1) * period;
}

function newBeat(period: number): Beat {
  const beat: Beat = {period, works: new Set(), due: dueAfter(performance.now(), period)};
  beats.set(period, beat);
  wait();
  return beat;
}

/** Sets the timer for what is due first. */
function wait(): void {
  clearTimeout(timer);
  let first = Infinity;
  for (const {due} of beats.values()) first = Math.min(first, due);
  timer = first === Infinity ? undefined : setTimeout(callDue, Math.max(1, Math.ceil(first - performance.now()))).unref();
}

function callDue(): void {
  const now = performance.now();
  const due = [...beats.values()].filter((beat) => beat.due <= now + slackMillis);
  for (const beat of due) beat.due = dueAfter(now, beat.period);
  wait();
  for (const {works} of due) for (const work of works) work();
}
