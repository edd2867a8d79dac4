import {resolve} from 'node:path';
import process from 'node:process';
import {
  CooperativeScheduler,
  Tokens,
  type BackupTaker,
  type RestoreOptions,
  type RewrittenStore,
  type ShardStatus,
  type Store,
  type StoreFiller,
} from '../../sdk/index.js';
import {Bindings} from '../kernel/bindings.js';
import {Kernel} from '../kernel/kernel.js';
import {kernelOptions} from '../options/kernel-options.js';
import {platformOf} from '../options/plugin-profiles.js';
import {resolveNaming} from '../options/resolve-naming.js';
import type {ServerOptions} from '../options/server-options.js';
import {silentLogger} from '../logs/silent-logger.js';

/** How long history is kept: a tool must not cut what servers still need. */
const historyMillis = 5 * 60 * 1000;

/** What an operator does with a store beside the servers that use it. */
export interface StoreTools {
  /** The value of `--store`. */
  readonly url: string;
  /** What is in the store, without changing anything. */
  status(): Promise<readonly ShardStatus[]>;
  /** Opens the store as a server does, and closes it after the work. The embedded store must not be in use. */
  use<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** Accepts that data is missing; answers the status before. */
  acceptLoss(): Promise<readonly ShardStatus[]>;
  /** Hands over all records as they are at one revision of each shard, and answers these revisions. Servers may be using the store. */
  backup(take: BackupTaker): Promise<readonly number[]>;
  /** Prepares the store to be filled. */
  restore(how: RestoreOptions): Promise<StoreFiller>;
  /** Writes the store's file anew, without what was deleted or overwritten; undefined for a store that has none. No server may use it. */
  rewrite(): Promise<RewrittenStore | undefined>;
}

/**
 * The tools for the store that a server with these options would use.
 *
 * @throws KernelError, or Error in one sentence when the store has no such tools
 */
export async function storeTools(options: ServerOptions): Promise<StoreTools> {
  const {configuration = {}} = options;
  const cwd = options.cwd ?? process.cwd();
  const naming = resolveNaming(platformOf(options), configuration.naming);
  const {runtimeConfig: _, ...selection} = kernelOptions({...options, cwd, naming});
  const scheduler = new CooperativeScheduler();
  const kernel = await Kernel.load({
    ...selection,
    logger: options.logger ?? silentLogger,
    values: new Bindings().value(Tokens.Naming, naming).value(Tokens.Scheduler, scheduler),
  });
  const url = options.store ?? configuration.store ?? 'embedded';
  const provider = await kernel.storeProvider(url);
  const place = {url, dataDir: resolve(cwd, options.dataDir ?? configuration.dataDir ?? '.orch'), historyMillis};
  const {signal} = new AbortController();
  const missing = () => new Error(`the store ${url.split('://', 1)[0]} has no tools for operators`);
  return {
    url,
    async status() {
      if (!provider.status) throw missing();
      return provider.status(place, signal);
    },
    async use(work) {
      const store = await provider.open(place, signal);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    async acceptLoss() {
      if (!provider.acceptLoss) throw missing();
      return provider.acceptLoss(place, signal);
    },
    async backup(take) {
      if (!provider.backup) throw missing();
      return provider.backup(place, take, signal);
    },
    async restore(how) {
      if (!provider.restore) throw missing();
      return provider.restore(place, how, signal);
    },
    rewrite: async () => provider.rewrite?.(place, signal),
  };
}
