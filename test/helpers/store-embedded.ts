import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {EmbeddedStoreProvider, MemoryStoreProvider} from '#bundle/plugins/stores/embedded/plugin.js';
import type {Logger, Store, StoreOpenOptions} from '@orch-api/orch/sdk';
import type {StoreHarness} from '@orch-api/orch/testing/conformance';

/** A log that fails the test that gets a warning or an error. */
export function strictLogger(): Logger {
  const refuse = (fields: object, message: string): never => {
    throw new Error(`${message} ${JSON.stringify(fields)}`);
  };
  const logger: Logger = {trace() {}, debug() {}, info() {}, warn: refuse, error: refuse, child: () => logger};
  return logger;
}

/** A data directory that is removed after the test. */
export async function temporaryDirectory(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'orch-store-'));
  t.teardown(() => rm(directory, {recursive: true, force: true}));
  return directory;
}

/** Opens the embedded store of a data directory with a history of 5 minutes, or as said. */
export function openEmbedded(dataDir: string, options: Partial<StoreOpenOptions> = {}): Promise<Store> {
  return new EmbeddedStoreProvider(strictLogger()).open(
    {url: 'embedded', dataDir, historyMillis: 300_000, ...options},
    new AbortController().signal,
  );
}

/** Opens a store in memory with a history of 5 minutes, or as said. */
export function openMemory(options: Partial<StoreOpenOptions> = {}): Promise<Store> {
  return new MemoryStoreProvider(strictLogger()).open(
    {url: 'memory', dataDir: '/nonexistent', historyMillis: 300_000, ...options},
    new AbortController().signal,
  );
}

/** The harness of a store that one process has to itself. */
export function exclusiveHarness(open: () => Promise<Store>, durable: boolean): StoreHarness {
  const opened: Store[] = [];
  return {
    shared: false,
    durable,
    async open() {
      const store = await open();
      opened.push(store);
      return store;
    },
    async close() {
      await Promise.all(opened.map((store) => store.close()));
    },
  };
}
