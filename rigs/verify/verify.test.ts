import test, {type ExecutionContext} from 'ava';
import {excusedSlowness} from '../../test/helpers/longest-turn.js';
import {verification} from './run/verification.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? 20_261_122);

/** So much was tried in the time that the claim says something, on a machine of the usual speed. */
async function isMuch(
  t: ExecutionContext,
  {operations, versions}: {readonly operations: number; readonly versions: number},
): Promise<void> {
  const slower = operations > 300 && versions > 50 ? 1 : await excusedSlowness();
  t.true(operations * slower > 300 && versions * slower > 50, `${operations} operations, ${versions} versions`);
}

// The long run, with all stores and all that can be done to them: npm run verify -- --help
test('the embedded store is linearizable and its watches are complete through a crash, a pause and an older folder', async (t) => {
  const report = await verification(t, {
    store: 'embedded',
    seconds: 60,
    seed,
    servers: 1,
    clientsOfServer: 6,
    faults: ['server killed', 'server paused briefly', 'older folder put back'],
    injections: 3,
    tell: (text) => t.log(text),
  });
  t.deepEqual(report.faults, [], `seed ${seed}`);
  await isMuch(t, report);
});

test('two servers of one Redis are linearizable and their watches complete through partitions, crashes and lost data', async (t) => {
  const report = await verification(t, {
    store: 'redis',
    seconds: 60,
    seed,
    servers: 2,
    clientsOfServer: 4,
    faults: ['answers of Redis lost', 'Redis killed', 'older snapshot restored'],
    injections: 3,
    tell: (text) => t.log(text),
  });
  t.deepEqual(report.faults, [], `seed ${seed}`);
  await isMuch(t, report);
  t.true(report.expired > 0, 'somebody was told of the older snapshot');
});
