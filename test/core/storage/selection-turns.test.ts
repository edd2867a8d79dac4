import test from 'ava';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import {isWithin, longestTurn} from '../../helpers/longest-turn.js';
import {memoryStore, put, startStorage, widgets} from './support.js';

const objects = 40_000;

test('a search for what hardly any of many objects has leaves turns to everybody else, also while an index is made for it', async (t) => {
  const store = await memoryStore(t);
  const type = widgets(await startStorage(t, store));
  await put(type, 'space/first', {data: 'x'.repeat(200), labels: {rare: 'yes'}});
  await put(type, 'space/other', {data: 'x'.repeat(200)});
  const {value} = (await store.read('widgets.example.com', 'space/other'))!;
  await Promise.all(
    Array.from({length: objects}, (_, index) =>
      store.commit({type: 'widgets.example.com', key: `space/name-${index}`, expected: 0, value: Buffer.from(value)}),
    ),
  );
  await type.get('space', `name-${objects - 1}`, 'recent');
  const find = () =>
    type.list({labelSelector: parseLabelSelector('rare=yes'), fieldSelector: parseFieldSelector(''), freshness: 'recent', limit: 1});
  // The second time makes an index, which the last one finds.
  for (let time = 0; time < 3; time++) {
    const {result, longestMillis} = await longestTurn(async () => find());
    t.deepEqual(
      result.items.map(({name}) => name),
      ['first'],
    );
    t.log(`${longestMillis.toFixed(0)} ms`);
    t.true(await isWithin(longestMillis, 50), `${longestMillis} ms of processor in one turn`);
  }
});
