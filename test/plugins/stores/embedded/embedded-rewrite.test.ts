import test, {type ExecutionContext} from 'ava';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {EmbeddedStoreProvider} from '../../../../plugins/stores/embedded/plugin.js';
import {StoreError, type Store} from '@orch-api/orch/sdk';
import {Random} from '../../../helpers/random.js';
import {openEmbedded, strictLogger, temporaryDirectory} from '../../../helpers/store-embedded.js';
import {storeChild} from '../../../helpers/store-child.js';

const program = new URL('./rewrite-again.js', import.meta.url);
const options = (dataDir: string) => ({url: 'embedded', dataDir, historyMillis: 300_000});
const rewrite = (dataDir: string) => new EmbeddedStoreProvider(strictLogger()).rewrite(options(dataDir));
const follower = {onEntries: () => undefined, onEnd: () => undefined};

/** Opens the store, works with it and closes it. A warning that its history breaks off fails the test. */
async function use<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openEmbedded(dataDir);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes, overwrites and deletes records of all sizes; answers what is left, by key. */
async function churn(t: ExecutionContext, store: Store, rounds: number): Promise<Map<string, string>> {
  const random = new Random(Number(process.env['SEED'] ?? 23));
  const left = new Map<string, {revision: number; text: string}>();
  for (let round = 0; round < rounds; round++) {
    const keys = [...new Set(Array.from({length: 50}, () => `k${random.below(300)}`))];
    await Promise.all(
      keys.map(async (key) => {
        const expected = left.get(key)?.revision ?? 0;
        if (expected > 0 && random.chance(0.4)) {
          await store.commit({type: 'things', key, expected, value: null});
          left.delete(key);
          return;
        }
        const text = `gone-${key}-${round}-`.padEnd(random.pick([30, 2_000, 4_090, 30_000]), 'x');
        left.set(key, {revision: await store.commit({type: 'things', key, expected, value: Buffer.from(text)}), text});
      }),
    );
  }
  t.true(left.size > 50);
  return new Map([...left].map(([key, {revision, text}]) => [key, `${revision} ${text}`]));
}

const recordsOf = async (store: Store) =>
  new Map([...(await store.list('things')).records].map(({key, revision, value}) => [key, `${revision} ${value.toString()}`]));

test('a store in a new file has the same records, revisions and history, and nothing of what was deleted or overwritten', async (t) => {
  t.timeout(60_000);
  const dataDir = await temporaryDirectory(t);
  for (let turn = 0; turn < 3; turn++) {
    const [left, revision] = await use(dataDir, async (store) => {
      for (const {key, revision: expected} of (await store.list('things')).records)
        await store.commit({type: 'things', key, expected, value: null});
      const found = await churn(t, store, 30);
      await store.compact(0, await store.revision(0));
      return [found, await store.revision(0)] as const;
    });
    const {bytesBefore, bytes} = await rewrite(dataDir);
    t.true(bytes < bytesBefore, `${bytes} of ${bytesBefore} bytes`);
    const written = readFileSync(join(dataDir, 'store', 'data.mdb'))
      .toString('latin1')
      .matchAll(/gone-(k\d+)-(\d+)-/g);
    const expected = new Set([...left.values()].map((text) => text.split(' ')[1]!.replace(/x+$/, '')));
    t.deepEqual([...new Set([...written].map(([found]) => found))].toSorted(), [...expected].toSorted());
    await use(dataDir, async (store) => {
      t.true(isDeepStrictEqual(await recordsOf(store), left));
      t.is(await store.revision(0), revision);
      await t.notThrowsAsync(store.follow(0, revision, follower));
      t.is(await store.commit({type: 'probes', key: `p${turn}`, expected: 0, value: Buffer.from('x')}), revision + 1);
    });
  }
});

test('a store that a server uses, or that is not there, gets no new file', async (t) => {
  const dataDir = await temporaryDirectory(t);
  await t.throwsAsync(rewrite(dataDir), {message: `there is no store in ${join(dataDir, 'store')}`});
  t.deepEqual(readdirSync(dataDir), []);
  await use(dataDir, async (store) => {
    const revision = await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
    await t.throwsAsync(rewrite(dataDir), {message: /^the store in .* is in use by process \d+$/});
    t.is(await store.commit({type: 'things', key: 'one', expected: revision, value: Buffer.from('y')}), revision + 1);
  });
});

test('kill -9 in the middle of writing the new file loses nothing, and the next run clears up', async (t) => {
  t.timeout(90_000);
  const dataDir = await temporaryDirectory(t);
  const left = await use(dataDir, (store) => churn(t, store, 30));
  const random = new Random(7);
  for (let round = 0; round < 12; round++) {
    const child = storeChild(t, program, [dataDir]);
    await child.count(1);
    await new Promise((resolve) => setTimeout(resolve, random.below(60)));
    await child.kill9();
    t.deepEqual(
      child.lines.filter((line) => line !== 'rewritten'),
      [],
    );
    t.true(isDeepStrictEqual(await use(dataDir, recordsOf), left));
  }
  await rewrite(dataDir);
  t.deepEqual(readdirSync(join(dataDir, 'store')).toSorted(), ['claim.mdb', 'claim.mdb-lock', 'data.mdb', 'lock.mdb']);
});

test('a server that starts while new files are written loses no write: it gets the store, or is refused', async (t) => {
  t.timeout(90_000);
  const dataDir = await temporaryDirectory(t);
  await use(dataDir, (store) => store.commit({type: 'things', key: 'first', expected: 0, value: Buffer.from('x')}));
  const children = [storeChild(t, program, [dataDir]), storeChild(t, program, [dataDir])];
  const answered = ['first'];
  let refused = 0;
  const until = Date.now() + 8_000;
  while (Date.now() < until || answered.length <= 5 || refused <= 5) {
    const key = `k${answered.length}`;
    try {
      await use(dataDir, (store) => store.commit({type: 'things', key, expected: 0, value: Buffer.from(key)}));
      answered.push(key);
    } catch (error) {
      if (!StoreError.is(error) || !/in use by process/.test(error.message)) throw error;
      refused++;
    }
  }
  for (const child of children) {
    await child.kill9();
    t.true(child.lines.includes('rewritten'));
    t.deepEqual(
      child.lines.filter((line) => !/^rewritten$|^refused .*in use by process/.test(line)),
      [],
    );
  }
  t.log(
    `${answered.length} writes, ${refused} refused, ${children.map(({lines}) => lines.filter((line) => line === 'rewritten').length)} files`,
  );
  t.deepEqual([...(await use(dataDir, recordsOf)).keys()].toSorted(), answered.toSorted());
});
