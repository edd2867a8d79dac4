import test from 'ava';
import type {LogEntry} from '../../../../sdk/index.js';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';

test('what a change replaces is named to those who follow, and read for the history alone', async (t) => {
  const store = await openEmbedded(await temporaryDirectory(t));
  t.teardown(() => store.close());
  const told: LogEntry[] = [];
  const listener = {onEntries: (entries: readonly LogEntry[]) => void told.push(...entries), onEnd: () => undefined};
  await store.follow(0, 0, listener);
  const first = await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('first')});
  const second = await store.commit({type: 'things', key: 'one', expected: first, value: Buffer.from('second')});
  await store.commit({type: 'things', key: 'one', expected: second, value: null});
  // From the past as well.
  await store.follow(0, 0, listener);
  const named = [undefined, {revision: first}, {revision: second}];
  t.deepEqual(
    told.map(({previous}) => previous),
    [...named, ...named],
  );
  t.deepEqual(
    (await store.history('things')).entries.map(({previous}) => previous?.value?.toString()),
    [undefined, 'first', 'second'],
  );
});
