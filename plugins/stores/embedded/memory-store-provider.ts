import {
  CooperativeScheduler,
  inject,
  injectable,
  store,
  Tokens,
  type Logger,
  type Scheduler,
  type Store,
  type StoreOpenOptions,
  type StoreProvider,
} from '../../../sdk/index.js';
import {EmbeddedStore} from './embedded-store.js';
import {MemoryRecordTable} from './memory-record-table.js';

/** Most bytes of values that only the log holds. Caches have histories of their own: this one is read when a type is first used. */
const mostHistoryBytes = 64 * 1024 * 1024;

/** Opens a new, empty store in memory each time. */
@store()
@injectable()
export class MemoryStoreProvider implements StoreProvider {
  readonly #logger: Logger;
  readonly #scheduler: Scheduler;

  constructor(@inject(Tokens.Logger) logger: Logger, @inject(Tokens.Scheduler) scheduler: Scheduler = new CooperativeScheduler()) {
    this.#logger = logger;
    this.#scheduler = scheduler;
  }

  async open({url, historyMillis}: StoreOpenOptions, signal: AbortSignal): Promise<Store> {
    if (!/^memory:?$/.test(url)) throw new Error(`--store ${url} is not understood: the store in memory is "memory"`);
    signal.throwIfAborted();
    return new EmbeddedStore(new MemoryRecordTable(), {
      historyMillis,
      maximumHistoryBytes: mostHistoryBytes,
      scheduler: this.#scheduler,
      onCutFailure: (error) => this.#logger.warn({err: error}, 'the log of the store could not be cut'),
    });
  }
}
