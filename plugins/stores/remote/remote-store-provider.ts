import {inject, injectable, store, Tokens, type Logger, type Store, type StoreOpenOptions, type StoreProvider} from '../../../sdk/index.js';
import {RemoteStore} from './remote-store.js';
import {StoreServer} from './store-server.js';

/** Uses the store of another process of this machine, or hands the store of this process on. */
@store()
@injectable()
export class RemoteStoreProvider implements StoreProvider {
  readonly #logger: Logger;

  constructor(@inject(Tokens.Logger) logger: Logger) {
    this.#logger = logger;
  }

  async open({url}: StoreOpenOptions, signal: AbortSignal): Promise<Store> {
    return RemoteStore.open({path: pathOf(url), logger: this.#logger}, signal);
  }

  async serve(served: Store, url: string): Promise<{close(): Promise<void>}> {
    return StoreServer.listen(served, pathOf(url));
  }
}

function pathOf(url: string): string {
  const [, path] = /^unix:\/\/(\/.*)$/.exec(url) ?? [];
  if (path === undefined) throw new Error(`--store ${url} is not understood: it is written unix:///PATH/OF/THE/SOCKET`);
  return path;
}
