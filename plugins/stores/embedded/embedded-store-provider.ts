import {join} from 'node:path';
import {inject, injectable, store, Tokens, type Logger, type Store, type StoreOpenOptions, type StoreProvider} from '../../../sdk/index.js';
import {EmbeddedStore} from './embedded-store.js';
import {LmdbRecordTable} from './lmdb-record-table.js';

/** Opens the store that lives in the folder `store` of the data directory, which one process has to itself. */
@store()
@injectable()
export class EmbeddedStoreProvider implements StoreProvider {
  readonly #logger: Logger;

  constructor(@inject(Tokens.Logger) logger: Logger) {
    this.#logger = logger;
  }

  async open({url, dataDir, historyMillis}: StoreOpenOptions, signal: AbortSignal): Promise<Store> {
    if (!/^embedded:?$/.test(url)) {
      throw new Error(`--store ${url} is not understood: the embedded store is "embedded", its place is the data directory`);
    }
    signal.throwIfAborted();
    const table = await LmdbRecordTable.open(join(dataDir, 'store'));
    try {
      signal.throwIfAborted();
      return new EmbeddedStore(table, {
        historyMillis,
        onCutFailure: (error) => this.#logger.warn({err: error}, 'the log of the store could not be cut'),
      });
    } catch (error) {
      await table.close();
      throw error;
    }
  }
}
