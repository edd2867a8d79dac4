import {AsyncResource} from 'node:async_hooks';

interface Beat {
  readonly timer: NodeJS.Timeout;
  readonly works: Set<() => void>;
}

const beats = new Map<number, Beat>();

/**
 * Like `setInterval` with `unref`, but calls with the same period share one timer, so that an idle process is woken only once. The first call comes after a
 * part of the period. An exception of one does not affect the others.
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
    clearInterval(beat.timer);
    beats.delete(millis);
  };
}

function newBeat(millis: number): Beat {
  const works = new Set<() => void>();
  const timer = setInterval(() => {
    for (const work of works) work();
  }, millis).unref();
  const beat = {timer, works};
  beats.set(millis, beat);
  return beat;
}
