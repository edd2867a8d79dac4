import test from 'ava';
import {join} from 'node:path';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';
import {storeChild} from '../../../helpers/store-child.js';

const program = new URL('./hold-store.js', import.meta.url);

test('a second open in the same process is refused with the directory and the process, and harms nothing', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const store = await openEmbedded(dataDir);
  await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
  for (let attempt = 0; attempt < 3; attempt++) {
    await t.throwsAsync(openEmbedded(dataDir), {message: `the store in ${join(dataDir, 'store')} is in use by process ${process.pid}`});
  }
  await store.commit({type: 'things', key: 'two', expected: 0, value: Buffer.from('x')});
  t.is([...(await store.list('things')).records].length, 2);
  await store.close();

  const again = await openEmbedded(dataDir);
  t.is([...(await again.list('things')).records].length, 2);
  await again.close();
});

test('of two opens at once in one process one is refused', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const outcome = await Promise.allSettled([openEmbedded(dataDir), openEmbedded(dataDir)]);
  t.deepEqual(outcome.map((result) => result.status).toSorted(), ['fulfilled', 'rejected']);
  for (const result of outcome) if (result.status === 'fulfilled') await result.value.close();
});

test('a directory that another process has open is refused, and free when that process closes it', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const child = storeChild(t, program, [dataDir]);
  await child.line(/^opened$/);
  await t.throwsAsync(openEmbedded(dataDir), {message: `the store in ${join(dataDir, 'store')} is in use by process ${child.pid}`});
  await t.throwsAsync(openEmbedded(dataDir), {message: /is in use by process/});
  child.send('close');
  t.is(await child.exit(), 0);
  const store = await openEmbedded(dataDir);
  t.deepEqual(
    [...(await store.list('owners')).records].map((record) => record.key),
    [`p${child.pid}`],
  );
  await store.close();
});

test('a directory whose owner was killed with kill -9 is taken over at once', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const child = storeChild(t, program, [dataDir]);
  await child.line(/^opened$/);
  await child.kill9();
  const store = await openEmbedded(dataDir);
  t.is([...(await store.list('owners')).records].length, 1);
  await store.close();
});

test('of six processes that race for the directory of a killed owner exactly one gets it', async (t) => {
  t.timeout(60_000);
  const dataDir = await temporaryDirectory(t);
  const owner = storeChild(t, program, [dataDir]);
  await owner.line(/^opened$/);
  await owner.kill9();
  const racers = Array.from({length: 6}, () => storeChild(t, program, [dataDir]));
  const answers = await Promise.all(racers.map((racer) => racer.line(/^(opened|refused)/)));
  const winners = racers.filter((_, index) => answers[index] === 'opened');
  t.is(winners.length, 1, answers.join('\n'));
  const refusal = `refused the store in ${join(dataDir, 'store')} is in use by process ${winners[0]!.pid}`;
  t.deepEqual(
    answers.filter((answer) => answer !== 'opened'),
    Array.from({length: 5}, () => refusal),
  );
});
