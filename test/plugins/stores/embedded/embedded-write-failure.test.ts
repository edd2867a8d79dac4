import test from 'ava';
import {execFileSync} from 'node:child_process';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';
import {storeChild} from '../../../helpers/store-child.js';

const program = new URL('./write-until-full.js', import.meta.url);

test('when the disk takes no more, nothing is answered that is not kept, and the store recovers by itself', async (t) => {
  t.timeout(60_000);
  const dataDir = await temporaryDirectory(t);
  // A limit on the size of files stands in for a full disk: LMDB meets the same failed write.
  const child = storeChild(t, program, [dataDir], ['prlimit', '--fsize=400000:unlimited']);
  const parse = (line: string) => JSON.parse(line.slice(line.indexOf(' ') + 1)) as unknown;

  const failures = parse(await child.line(/^failed /)) as {code: string; indeterminate: boolean; message: string}[];
  t.true(failures.length > 0);
  for (const failure of failures) {
    t.is(failure.code, 'Unavailable');
    t.true(failure.indeterminate);
    t.regex(failure.message, /^the store could not write: /);
  }
  const found = parse(await child.line(/^state /)) as {
    answered: number[];
    state: number[];
    delivered: number[];
    revision: number;
    faults: string[];
  };
  t.true(found.answered.length > 100);
  t.deepEqual(
    found.state,
    found.answered.toSorted((a, b) => a - b),
  );
  t.deepEqual(found.delivered, found.state);
  t.is(found.revision, Math.max(...found.state));
  t.deepEqual(found.faults, []);

  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited']);
  child.send('go on');
  const after = parse(await child.line(/^after /)) as {revision: number; delivered: number; count: number};
  t.true(after.revision > found.revision);
  t.is(after.delivered, after.revision);
  t.is(after.count, found.state.length + 1);
  t.is(await child.exit(), 0);

  const store = await openEmbedded(dataDir);
  const revisions = [...(await store.list('things')).records].map((record) => record.revision).toSorted((a, b) => a - b);
  t.deepEqual(revisions, [...found.state, after.revision]);
  await store.close();
});
