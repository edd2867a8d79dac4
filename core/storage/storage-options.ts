import {FlushTimer} from './flush-timer.js';
import {CooperativeScheduler, type Logger, type Scheduler, type Store} from '../../sdk/index.js';
import {HistoryBudget} from './cache/history-budget.js';
import type {CacheBounds} from './cache/type-cache.js';
import type {ValueEncryption} from './encryption/value-encryption.js';
import type {WatchBounds} from './watch-bounds.js';

/** Settings of storage. All limits have defaults. */
export interface StorageOptions extends Partial<CacheBounds>, Partial<WatchBounds> {
  /** How long history is kept: for that time watches can be resumed and continue tokens used. Milliseconds. */
  readonly historyMillis: number;
  readonly logger: Logger;
  /** That of the server; by default a new one. */
  readonly scheduler?: Scheduler;
  /** How the values of objects are encrypted in the store; undefined if none are. */
  readonly encryption?: ValueEncryption | undefined;
  /** Observes how long changes take to reach watches, in seconds: from the commit, by the store's clock. */
  readonly watchDelay?: {observe(seconds: number): void} | undefined;
  /** Called when the store has another history, which is followed from here on: objects may have been lost. */
  readonly onNewHistory?: (() => void) | undefined;
  /** Milliseconds since 1970; the store's clock by default, because ages are compared with times that the store or other servers noted. */
  readonly clock?: () => number;
  /** By how many milliseconds a test has put the clock forward. */
  readonly ahead?: () => number;
  /** How long a read waits for a version that has not arrived yet. Milliseconds; 3,000 by default. */
  readonly waitMillis?: number;
  /** Maximum number of parsed objects kept next to their bytes; 64 by default: few, so that most of them die young. */
  readonly maximumParsedObjects?: number;
  /** Maximum bytes of JSON text whose parsed form is kept; 4 MiB by default. */
  readonly maximumParsedBytes?: number;
  /** Most bytes of objects in the histories of all types together; 512 MiB by default. */
  readonly maximumHistoryBytes?: number;
}

/** The settings with all defaults filled in. */
export type StorageSettings = Required<Omit<StorageOptions, 'encryption' | 'watchDelay' | 'onNewHistory'>> &
  Pick<StorageOptions, 'encryption' | 'watchDelay' | 'onNewHistory'> & {
    /** The memory that the histories of all types share. */
    readonly histories: HistoryBudget;
    /** When changes are sent to the watches of all types. */
    readonly deliveries: FlushTimer;
  };

/** Fills in the defaults. */
export function storageSettings(options: StorageOptions, store: Pick<Store, 'now'>): StorageSettings {
  const {maximumHistoryBytes = 512 * 1024 * 1024, maximumDelayMillis = 6, scheduler = new CooperativeScheduler()} = options;
  return {
    maximumHistoryBytes,
    histories: new HistoryBudget(maximumHistoryBytes),
    deliveries: new FlushTimer(maximumDelayMillis, scheduler),
    ahead: () => 0,
    clock: () => (store.now?.() ?? Date.now()) + (options.ahead?.() ?? 0),
    waitMillis: 3000,
    maximumParsedObjects: 64,
    maximumParsedBytes: 4 * 1024 * 1024,
    maximumEvents: 100_000,
    maximumEventBytes: 64 * 1024 * 1024,
    maximumSnapshots: 16,
    maximumQueuedBytes: 8 * 1024 * 1024,
    pauseAtQueuedBytes: 256 * 1024,
    maximumDelayMillis,
    bookmarkMillis: 60_000,
    ...options,
    scheduler,
  };
}
