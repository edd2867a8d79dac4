import {useEffect, useState} from 'preact/hooks';
import {Refusal} from '../api/request.js';

export interface Polled<T> {
  /** Undefined until there is an answer. The last one stays while the server is away. */
  readonly value: T | undefined;
  /** Why there is no newer one. */
  readonly error: unknown;
}

/**
 * Asks again and again while the page is seen. What the server refuses is not asked again: it would refuse it each time.
 *
 * @param load gets what it answered before; it is that of the first call
 * @param millis from an answer to the next question
 */
export function usePolled<T>(load: (signal: AbortSignal, before: T | undefined) => Promise<T>, millis: number): Polled<T> {
  const [polled, setPolled] = useState<Polled<T>>({value: undefined, error: undefined});
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let before: T | undefined;
    const look = async () => {
      if (document.visibilityState === 'hidden') return later();
      try {
        const value = await load(abort.signal, before);
        before = value;
        if (!abort.signal.aborted) setPolled({value, error: undefined});
      } catch (error) {
        if (abort.signal.aborted) return;
        setPolled({value: before, error});
        if (isFinal(error)) return;
      }
      later();
    };
    const later = () => {
      if (!abort.signal.aborted) timer = setTimeout(() => void look(), millis);
    };
    void look();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, []);
  return polled;
}

function isFinal(error: unknown): boolean {
  return error instanceof Refusal && error.code >= 400 && error.code < 500 && error.code !== 429;
}
