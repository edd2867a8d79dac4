import test from 'ava';
import {StoreError, type Store} from '../../../../sdk/index.js';
import {until} from '../../../helpers/eventually.js';
import {Random} from '../../../helpers/random.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {openFor} from './open-store.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? 20_261_122);

for (const shards of [1, 3])
  test(`whatever is rolled back, and whoever forgets, a revision stands for one value for ever (${shards} shards)`, async (t) => {
    t.log(`seed ${seed}`);
    const random = new Random(seed);
    const server = await startRedis(t);
    const url = `${server.url}?shards=${shards}`;
    const folder = tempFolder(t);
    /** Every revision that was ever answered, with its value. */
    const answered = new Map<number, string>();
    let count = 0;
    let store: Store = await openFor(t, url, {dataDir: folder});

    async function write(): Promise<void> {
      const value = `value ${++count}`;
      await until('the store takes a write', async () => {
        try {
          const revision = await store.commit({type: 'things', key: `k${count}`, expected: 0, value: Buffer.from(value)});
          t.false(answered.has(revision), `revision ${revision} was ${answered.get(revision)} and is ${value}`);
          answered.set(revision, value);
          return true;
        } catch (error) {
          if (StoreError.is(error) && (error.code === 'Unavailable' || error.code === 'EpochChanged')) return false;
          // Its own write, of which the answer was lost.
          if (StoreError.is(error) && error.code === 'Exists') return true;
          throw error;
        }
      });
    }
    const steps: Record<string, () => Promise<void>> = {
      write,
      'write a lot': async () => {
        for (let index = 0; index < 20; index++) await write();
      },
      save: async () => void (await server.client().save()),
      'Redis falls back to its snapshot': () => server.restart(),
      'both fall back, and the server remembers': async () => {
        await store.close();
        await server.restart();
        store = await openFor(t, url, {dataDir: folder});
      },
      'both fall back, and the server forgets': async () => {
        await store.close();
        await server.restart();
        store = await openFor(t, url);
      },
    };
    await write();
    await server.client().save();
    const names = Object.keys(steps);
    for (let step = 0; step < 40; step++) await steps[names[random.below(names.length)]!]!();
    await write();
    const {records} = await store.list('things');
    for (const {revision, value} of records) t.is(answered.get(revision) ?? value.toString(), value.toString());
    t.true(answered.size > 40, `${answered.size} writes`);
  });
