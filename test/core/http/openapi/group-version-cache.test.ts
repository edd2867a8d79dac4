import test from 'ava';
import type {GroupVersionEntry} from '../../../../core/api/types/group-entry.js';
import type {ResourceTypeVersion} from '../../../../core/api/types/resource-type.js';
import {GroupVersionCache, KeptForGroups} from '../../../../core/http/openapi/group-version-cache.js';
import {testTask} from '../../../helpers/test-task.js';

const type = (): ResourceTypeVersion => ({}) as ResourceTypeVersion;
const entry = (group: string, ...types: ResourceTypeVersion[]): GroupVersionEntry => ({group, version: 'v1', types});

function recordingCache(): {cache: GroupVersionCache<string>; made: string[]} {
  const made: string[] = [];
  return {made, cache: new GroupVersionCache(({group}) => (made.push(group), `${group} ${made.length}`))};
}

test('only group versions whose types changed are made again', async (t) => {
  const {cache, made} = recordingCache();
  const [a, b, c] = [type(), type(), type()];
  t.deepEqual(await cache.all([entry('one', a), entry('two', b)], testTask()), ['one 1', 'two 2']);
  t.deepEqual(await cache.all([entry('one', a), entry('two', b, c)], testTask()), ['one 1', 'two 3']);
  t.deepEqual(await cache.all([entry('two', type(), c), entry('one', a)], testTask()), ['two 4', 'one 1']);
  t.is(cache.get(entry('one', a)), 'one 1');
  t.deepEqual(made, ['one', 'two', 'two', 'two']);
});

test('what is no longer served is forgotten', async (t) => {
  const {cache, made} = recordingCache();
  const a = type();
  await cache.all([entry('one', a), entry('two', type())], testTask());
  await cache.all([entry('two', type())], testTask());
  cache.get(entry('one', a));
  t.deepEqual(made, ['one', 'two', 'two', 'one']);
});

test('other work has its turn while many group versions are made', async (t) => {
  const cache = new GroupVersionCache(() => {
    const until = performance.now() + 4;
    while (performance.now() < until);
  });
  let turns = 0;
  const count = setInterval(() => (turns += 1), 1);
  await cache.all(
    Array.from({length: 20}, (_, index) => entry(`group${index}`, type())),
    testTask(),
  );
  clearInterval(count);
  t.true(turns >= 3, `${turns} turns`);
});

test('what is derived from all groups is made once for the same ones', async (t) => {
  const kept = new KeptForGroups<number>();
  let made = 0;
  const make = async () => (made += 1);
  const groups = [{group: 'one', priority: 0, versions: [entry('one', type())]}];
  t.deepEqual([await kept.get(groups, make), await kept.get(groups, make)], [1, 1]);
  t.is(await kept.get([...groups], make), 2);
});
