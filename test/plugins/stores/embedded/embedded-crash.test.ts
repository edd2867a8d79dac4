import test from 'ava';
import type {LogEntry} from '../../../../sdk/index.js';
import {LogRecorder} from '../../../../testing/conformance/store/log-recorder.js';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';
import {storeChild} from '../../../helpers/store-child.js';

const program = new URL('./write-and-report.js', import.meta.url);

interface Answered {
  readonly key: string;
  readonly revision: number;
  readonly expected: number;
  readonly text: string | null;
}

function parse(line: string): Answered {
  const [key = '', revision, expected, text = ''] = line.split(' ');
  return {key, revision: Number(revision), expected: Number(expected), text: text === '-' ? null : text};
}

test('kill -9 in the middle of 1,000 concurrent writes loses nothing that was answered', async (t) => {
  t.timeout(90_000);
  const dataDir = await temporaryDirectory(t);
  const answered: Answered[] = [];
  for (const [round, after] of [700, 2500, 4100].entries()) {
    const child = storeChild(t, program, [dataDir, String(round)]);
    await child.count(after);
    await child.kill9();
    // The last line may be cut off: then the write was answered, but nobody can say which.
    answered.push(...child.lines.slice(1, -1).map(parse));

    const store = await openEmbedded(dataDir);
    const recorder = new LogRecorder();
    await store.follow(0, 0, recorder);
    const log = [...recorder.entries];
    const last = log.at(-1)!.revision;
    t.deepEqual(recorder.faults, []);
    t.is(new Set(answered.map((write) => write.revision)).size, answered.length, 'a revision was given twice');

    const byRevision = new Map(log.map((entry) => [entry.revision, entry]));
    for (const {key, revision, expected, text} of answered) {
      const entry = byRevision.get(revision);
      if (
        entry === undefined ||
        entry.key !== key ||
        (entry.value?.toString() ?? null) !== text ||
        (entry.previous?.revision ?? 0) !== expected
      ) {
        t.fail(`revision ${revision} of ${key} was answered and is not in the log as it was`);
        return;
      }
    }
    const state = replay(log);
    const {records} = await store.list('things');
    t.deepEqual(new Map([...records].map((record) => [record.key, `${record.revision} ${record.value.toString()}`])), state);
    t.is(await store.revision(0), last);

    const probe = await store.commit({type: 'probes', key: `after-${round}`, expected: 0, value: Buffer.from('x')});
    t.true(probe > last);
    answered.push({key: `after-${round}`, revision: probe, expected: 0, text: 'x'});
    await store.close();
  }
});

/** The state that the log leads to; each entry must fit to the one before of its key. */
function replay(log: readonly LogEntry[]): Map<string, string> {
  const state = new Map<string, string>();
  for (const {type, key, revision, value, previous} of log) {
    if (type !== 'things') continue;
    const before = previous === undefined ? undefined : `${previous.revision} ${previous.value?.toString()}`;
    if (state.get(key) !== before) throw new Error(`revision ${revision} does not follow from the state before it`);
    if (value === null) state.delete(key);
    else state.set(key, `${revision} ${value.toString()}`);
  }
  return state;
}
