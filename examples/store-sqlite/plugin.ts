import {mkdir} from 'node:fs/promises';
import {isAbsolute, join} from 'node:path';
import {store, type Store, type StoreOpenOptions, type StoreProvider} from '@orch-api/orch/sdk';
import {SqliteStore} from './sqlite-store.js';

/** Opens `sqlite://FILE`, a path in the data directory unless it is absolute; `sqlite` alone is the file `objects.sqlite`. */
@store()
export class SqliteStoreProvider implements StoreProvider {
  async open({url, dataDir}: StoreOpenOptions, signal: AbortSignal): Promise<Store> {
    const file = /^sqlite(?::\/\/(.+))?$/.exec(url)?.[1] ?? 'objects.sqlite';
    await mkdir(dataDir, {recursive: true, mode: 0o700});
    signal.throwIfAborted();
    return new SqliteStore(isAbsolute(file) ? file : join(dataDir, file));
  }
}
