import {AsyncResource} from 'node:async_hooks';

interface Beat {
  readonly timer: NodeJS.Timeout;
  readonly works: Set<() => void>;
}

const beats = new Map<number, Beat>();

/**
 * Like `setInterval` with `unref`, but whatever asks for the same period in a process shares one timer: an idle process is woken once for all of it. The
 * first call comes after a part of the period. What one throws does not keep the others from their turn.
 *
 * @param millis period in milliseconds
 * @returns ends it
 */
export function every(millis: number, work: () => void): () => void {
  // In the context of the caller, who is known by it when something is thrown.
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
