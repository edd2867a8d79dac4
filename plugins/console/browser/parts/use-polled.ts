import {useEffect, useRef, useState} from 'preact/hooks';
import {Refusal} from '../api/request.js';

export interface Polled<T> {
  /** Undefined until there is an answer. The last one stays while the server is away. */
  readonly value: T | undefined;
  /** Why there is no newer one. */
  readonly error: unknown;
}

export interface PollOptions {
  /** What the question is about: another one begins when it changes. */
  readonly about?: readonly unknown[];
  /** Where it is given, the question is asked again only when this has changed since the last answer. */
  readonly state?: unknown;
}

const nothing = {value: undefined, error: undefined};

/**
 * Asks again and again while the page is seen. What the server refuses is not asked again: it would refuse it each time.
 *
 * @param load gets what it answered before
 * @param millis from an answer to the next question
 */
export function usePolled<T>(
  load: (signal: AbortSignal, before: T | undefined) => Promise<T>,
  millis: number,
  {about = [], state}: PollOptions = {},
): Polled<T> {
  const [polled, setPolled] = useState<Polled<T>>(nothing);
  const latest = useRef({load, state});
  latest.current = {load, state};
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let answered: {readonly value: T; readonly state: unknown} | undefined;
    const look = async () => {
      const now = latest.current;
      if (document.visibilityState === 'hidden' || (now.state !== undefined && now.state === answered?.state)) return later();
      try {
        const value = await now.load(abort.signal, answered?.value);
        answered = {value, state: now.state};
        if (!abort.signal.aborted) setPolled({value, error: undefined});
      } catch (error) {
        if (abort.signal.aborted) return;
        setPolled({value: answered?.value, error});
        if (error instanceof Refusal && !error.isPassing) return;
      }
      later();
    };
    const later = () => {
      if (!abort.signal.aborted) timer = setTimeout(() => void look(), millis);
    };
    setPolled(nothing);
    void look();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, about);
  return polled;
}
