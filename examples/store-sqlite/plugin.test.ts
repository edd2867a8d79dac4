import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import type {Store} from '@orch-api/orch/sdk';
import {storeConformance} from '@orch-api/orch/testing/conformance';
import {SqliteStoreProvider} from './plugin.js';

/** A folder of its own for each test. */
const harness = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sqlite-'));
  const opened: Store[] = [];
  return {
    shared: false,
    durable: true,
    async open() {
      const store = await new SqliteStoreProvider().open({url: 'sqlite', dataDir, historyMillis: 300_000}, new AbortController().signal);
      opened.push(store);
      return store;
    },
    async close() {
      for (const store of opened) await store.close();
      await rm(dataDir, {recursive: true, force: true});
    },
  };
};
for (const {title, run} of storeConformance(harness)) test(title, run);
