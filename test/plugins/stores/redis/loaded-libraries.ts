import {createRequire} from 'node:module';
import {openStore} from './open-store.js';

// Opens a store, uses it, and reports the packages that were loaded for it.
const store = await openStore(process.argv[2]!);
await store.list('things');
await store.close();
const files = Object.keys(createRequire(import.meta.url).cache);
const packages = new Set(files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? ''));
process.send!([...packages], () => process.disconnect());
