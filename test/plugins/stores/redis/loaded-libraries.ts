import 'reflect-metadata';
import {mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {RedisStoreProvider} from '../../../../plugins/stores/redis/plugin.js';
import {strictLogger} from '../../../helpers/store-embedded.js';

// Opens a store, uses it, and reports the packages that were loaded for it. From the compiled tree: in the bundle they are parts of its chunks.
const dataDir = mkdtempSync(join(tmpdir(), 'orch-libraries-'));
const provider = new RedisStoreProvider({}, strictLogger());
const store = await provider.open({url: process.argv[2]!, dataDir, historyMillis: 300_000}, new AbortController().signal);
await store.list('things');
await store.close();
rmSync(dataDir, {recursive: true, force: true});
const files = Object.keys(createRequire(import.meta.url).cache);
const packages = new Set(files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? ''));
process.send!([...packages], () => process.disconnect());
