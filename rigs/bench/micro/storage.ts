// Micro benchmark of core/storage over the store in memory: what one operation costs in this layer alone.
//
//   node --expose-gc dist/rigs/bench/micro/storage.js
import type {ApiObject, Logger} from '../../../sdk/index.js';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import type {CachedObject} from '../../../core/storage/cache/cached-object.js';
import {Storage} from '../../../core/storage/storage.js';
import type {TypeStorage} from '../../../core/storage/type-storage.js';
import {JsonFrameEncoder} from '../../../core/registry/views/json-frame-encoder.js';
import {MemoryStoreProvider} from '../../../plugins/stores/embedded/memory-store-provider.js';

const objects = 5000;
const watchers = 200;
const silent: Logger = {trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error, child: () => silent};
const labelSelector = parseLabelSelector('group=g3');

function configMap(index: number, version = 0): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `cm-${index}`,
      namespace: 'bench',
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      creationTimestamp: '2024-01-01T00:00:00Z',
      labels: {app: 'bench', group: `g${index % 10}`},
    },
    data: {version: String(version), payload: 'x'.repeat(800), node: `n${index % 500}`, phase: `p${index % 10}`},
  };
}

function report(name: string, microseconds: number): void {
  console.log(`${name.padEnd(58)} ${microseconds.toFixed(microseconds < 10 ? 3 : 1).padStart(10)} µs`);
}

async function measure(name: string, count: number, run: (index: number) => unknown): Promise<void> {
  for (let index = 0; index < Math.min(count, 200); index++) await run(index);
  const started = process.cpuUsage();
  for (let index = 0; index < count; index++) {
    const result = run(index);
    if (result instanceof Promise) await result;
  }
  const {user, system} = process.cpuUsage(started);
  report(name, (user + system) / count);
}

function memory(): number {
  (globalThis as {gc?: () => void}).gc?.();
  const {heapUsed, arrayBuffers} = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function page(type: TypeStorage): Promise<void> {
  let continueToken: string | undefined;
  do ({continueToken} = await type.list({freshness: 'recent', limit: 500, ...(continueToken ? {continueToken} : {})}));
  while (continueToken);
}

async function fanOut(type: TypeStorage, distinct: boolean): Promise<void> {
  const encoder = new JsonFrameEncoder({apiVersion: 'v1', kind: 'ConfigMap'});
  let bytes = 0;
  const handles = await Promise.all(
    Array.from({length: watchers}, async (_, index) =>
      type.watch(
        {
          start: {kind: 'now', freshness: 'recent'},
          bookmarks: false,
          encoder,
          ...(distinct ? {labelSelector: parseLabelSelector(`app,other!=${index}`)} : {}),
        },
        {write: (chunk) => void (bytes += chunk.length), queuedBytes: 0, end() {}},
      ),
    ),
  );
  const rounds = 300;
  const burst = 16;
  const updates = Array.from({length: rounds * burst}, (_, index) => configMap(index % objects, index));
  const work = async (): Promise<number> => {
    const started = process.cpuUsage();
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        updates.slice(round * burst, (round + 1) * burst).map(async (object) => {
          const {name} = object.metadata;
          return type.update(object, (await type.get('bench', name!, 'recent'))!, 'bench', name!);
        }),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    const {user, system} = process.cpuUsage(started);
    return user + system;
  };
  const total = await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const handle of handles) handle.close();
  const alone = await work();
  const delivered = rounds * burst * watchers;
  if (bytes < delivered * 900) throw new Error('events were lost');
  report(`event delivered, ${watchers} watchers${distinct ? ', each with its own selector' : ''}`, (total - alone) / delivered);
}

const store = await new MemoryStoreProvider(silent).open(
  {url: 'memory', dataDir: '/', historyMillis: 300_000},
  new AbortController().signal,
);
const writer = new Storage(store, {historyMillis: 300_000, logger: silent});
await writer.start();
const selectableFields = (entry: CachedObject) => {
  const {node, phase} = entry.object().data as Record<string, string>;
  return {'data.node': node ?? '', 'data.phase': phase ?? ''};
};
const options = {type: 'configmaps', namespaced: true, selectableFields};
for (let index = 0; index < objects; index++) await writer.type(options).create(configMap(index), 'bench', `cm-${index}`);
await writer.stop();
await store.compact(0, objects);

const before = memory();
const storage = new Storage(store, {historyMillis: 300_000, logger: silent});
await storage.start();
const type = storage.type(options);
const warmUp = performance.now();
await type.list({freshness: 'recent'});
report(`filling the cache with ${objects} objects`, (performance.now() - warmUp) * 1000);
console.log(
  `memory of ${objects} objects of ${(await type.get('bench', 'cm-1', 'any'))!.bytes.length} bytes: ${((memory() - before) / 2 ** 20).toFixed(1)} MiB`,
);
await measure('first list by label: reads all labels', 1, () => type.list({freshness: 'any', labelSelector, namespace: 'other'}));
await type.list({freshness: 'any', labelSelector: parseLabelSelector('app!=none')});
console.log(`memory with the labels of all: ${((memory() - before) / 2 ** 20).toFixed(1)} MiB`);

await measure('get, most recent', 200_000, (index) => type.get('bench', `cm-${index % objects}`, 'recent'));
await measure('get, any version', 200_000, (index) => type.get('bench', `cm-${index % objects}`, 'any'));
await measure('list of 500, first chunk of 5,000', 2000, () => type.list({freshness: 'recent', limit: 500}));
await measure('all 10 chunks of 5,000', 300, () => page(type));
await measure('list of 5,000', 1000, () => type.list({freshness: 'recent'}));
const scan = parseLabelSelector('group in (g3,none)');
await measure('list by label, 500 of 5,000, scanning', 1000, () => type.list({freshness: 'recent', labelSelector: scan}));
await measure('list by label, 500 of 5,000, index', 1000, () => type.list({freshness: 'recent', labelSelector}));
const churn = async (indexes: string): Promise<void> => {
  await measure(`update, ${indexes}`, 5000, async (index) =>
    type.update(
      configMap(index % objects, index),
      (await type.get('bench', `cm-${index % objects}`, 'recent'))!,
      'bench',
      `cm-${index % objects}`,
    ),
  );
};
await churn('index of one label');
for (const [what, text] of [
  ['10', 'data.node=n3'],
  ['500', 'data.phase=p3'],
] as const) {
  const fieldSelector = parseFieldSelector(text);
  const all = parseFieldSelector(`${text.slice(0, text.indexOf('='))}!=none`);
  await type.list({freshness: 'any', fieldSelector: all});
  await measure(`list by field, all of 5,000, scanning`, 200, () => type.list({freshness: 'recent', fieldSelector: all}));
  await measure(`list by field, ${what} of 5,000`, 1000, () => type.list({freshness: 'recent', fieldSelector}));
}
await churn('index of one label and two fields');
await measure('create', 5000, (index) => type.create(configMap(index), 'bench', `new-${index}-${Math.random()}`));
await fanOut(type, false);
await fanOut(type, true);
await storage.stop();
await store.close();
