import {setImmediate as turn} from 'node:timers/promises';
import type {StoreError} from '../../../../sdk/index.js';
import {openEmbedded} from '../../../helpers/store-embedded.js';
import {LogRecorder} from '../../../../testing/conformance/store/log-recorder.js';

// Writes until the limit on the size of files is met, reports what the store says then, waits for a line (the limit is
// gone), and reports that the store goes on. Each report is a line of JSON after a word.
const report = (word: string, value: unknown) => process.stdout.write(`${word} ${JSON.stringify(value)}\n`);
const store = await openEmbedded(process.argv[2]!);
const recorder = new LogRecorder();
await store.follow(0, 0, recorder);

const answered: number[] = [];
const failures: StoreError[] = [];
for (let round = 0; failures.length === 0; round++) {
  const outcome = await Promise.allSettled(
    Array.from({length: 16}, (_, writer) =>
      store.commit({type: 'things', key: `${round}/${writer}`, expected: 0, value: Buffer.alloc(1000, writer)}),
    ),
  );
  for (const result of outcome) {
    if (result.status === 'fulfilled') answered.push(result.value);
    else failures.push(result.reason as StoreError);
  }
}
report(
  'failed',
  failures.map(({code, indeterminate, message}) => ({code, indeterminate, message})),
);

// The store opens its table anew; until then reads are refused.
const readAll = async () => [...(await store.list('things')).records];
while (
  !(await readAll().then(
    () => true,
    () => false,
  ))
)
  await turn();
const state = (await readAll()).map((record) => record.revision).toSorted((a, b) => a - b);
report('state', {answered, state, delivered: recorder.revisions, revision: await store.revision(0), faults: recorder.faults});

const writeAfter = async () => {
  const revision = await store.commit({type: 'things', key: 'after', expected: 0, value: Buffer.alloc(1000)});
  await store.ping();
  report('after', {revision, delivered: recorder.revisions.at(-1), count: [...(await store.list('things')).records].length});
  await store.close();
  process.stdin.destroy();
};
process.stdin.once('data', () => void writeAfter());
