import type {CachedEntry} from './cached-entry.js';

/** One change of one object with the state before it. At least one of `object` and `previous` is defined. */
export interface WindowEvent {
  readonly revision: number;
  /** When the change was made, by the store's clock, in milliseconds since 1970. */
  readonly time: number;
  readonly key: string;
  /** Undefined for a deletion. */
  readonly object: CachedEntry | undefined;
  /** Undefined for a creation. */
  readonly previous: CachedEntry | undefined;
}
