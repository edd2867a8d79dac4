import test from 'ava';
import {isWithin, longestTurn} from '../../helpers/longest-turn.js';
import {memoryStore, put, startStorage, widgets} from './support.js';

const objects = 60_000;

for (const log of ['with its log', 'without a log']) {
  test.serial(`the warm-up of a large type (${log}) leaves turns to everybody else`, async (t) => {
    const store = await memoryStore(t);
    await put(widgets(await startStorage(t, store)), 'space/first', {data: 'x'.repeat(200)});
    const {value} = (await store.read('widgets.example.com', 'space/first'))!;
    const commits = Array.from({length: objects}, (_, index) =>
      store.commit({type: 'widgets.example.com', key: `space/name-${index}`, expected: 0, value: Buffer.from(value)}),
    );
    await Promise.all(commits);
    if (log === 'without a log') await store.compact(0, await store.revision(0));
    const type = widgets(await startStorage(t, store, {maximumEvents: objects}));
    const {result, longestMillis} = await longestTurn(async () => type.get('space', `name-${objects - 1}`, 'recent'));
    t.truthy(result);
    t.is(type.objectCount, objects + 1);
    t.log(`${longestMillis.toFixed(0)} ms`);
    t.true(await isWithin(longestMillis, 50), `${longestMillis} ms of processor in one turn`);
  });
}
