import test from 'ava';
import {levelsOf, charts} from '../../../plugins/console/browser/api/charts.js';
import {compareRollouts, isDone, rolloutOf} from '../../../plugins/console/browser/api/rollouts.js';
import {dumpRows} from '../../../plugins/console/browser/api/dump-rows.js';
import {quantile, rate, samplesOf, type Reading} from '../../../plugins/console/browser/api/samples.js';

const reading = (at: number, ...lines: string[]): Reading => ({at, samples: samplesOf(lines.join('\n'))});

const histogram = (at: number, counts: readonly number[]) =>
  reading(
    at,
    ...['0.1', '0.2', '+Inf'].map((le, index) => `apiserver_request_duration_seconds_bucket{verb="GET",le="${le}"} ${counts[index]}`),
  );

test('a percentile is that of what was counted between two readings', (t) => {
  const between = (part: number, before: readonly number[], now: readonly number[]) =>
    quantile(part, histogram(2, now), histogram(1, before), 'apiserver_request_duration_seconds', ({verb}) => verb === 'GET');
  t.is(between(0.5, [0, 0, 0], [10, 10, 10]), 0.05);
  t.is(between(0.5, [100, 100, 100], [100, 110, 110]), 0.1 + 0.05, 'what was counted before says nothing');
  t.is(between(0.99, [0, 0, 0], [0, 0, 5]), 0.2, 'of the last bucket only the lower bound is known');
  t.is(between(0.99, [5, 5, 5], [5, 5, 5]), null);
  t.is(between(0.99, [5, 5, 5], [1, 1, 1]), null, 'a server that was started again');
});

test('a counter that begins anew has not grown', (t) => {
  const [before, after] = [reading(1, 'apiserver_request_total{code="200"} 50'), reading(3, 'apiserver_request_total{code="200"} 10')];
  t.is(rate(after, before, 'apiserver_request_total'), 0);
  t.is(rate({...before, at: 6}, {...after, at: 4}, 'apiserver_request_total'), 20);
});

test('labels are read whatever is in them', (t) => {
  const [sample] = samplesOf('apiserver_storage_objects{resource="a\\"b,c=\\\\",x="{}"} 3').get('apiserver_storage_objects')!;
  t.deepEqual(sample, {labels: {resource: 'a\\"b,c=\\\\', x: '{}'}, value: 3});
  t.deepEqual([...samplesOf('# HELP apiserver_storage_objects x\nsomething_else 1\n')], []);
});

test('commits are revisions of the store, and a new history is none', (t) => {
  const commits = charts.flatMap(({curves}) => curves).find(({name}) => name === 'commits')!;
  const at = (seconds: number, revision: number, epochs: number) =>
    reading(seconds, `orch_store_revision{shard="0"} ${revision}`, `orch_store_epoch_changes_total{shard="0"} ${epochs}`);
  t.is(commits.value(at(2, 110, 0), at(1, 100, 0)), 10);
  t.is(commits.value(at(2, 1e15, 1), at(1, 100, 0)), null);
});

test('levels have the figures of the release that is served, and those of their flow schemas together', (t) => {
  const lines = (inUse: string, served: number) => [
    'apiserver_flowcontrol_current_limit_seats{priority_level="low"} 10',
    `apiserver_flowcontrol_${inUse}{priority_level="low",flow_schema="a"} 2`,
    `apiserver_flowcontrol_${inUse}{priority_level="low",flow_schema="b"} 1`,
    'apiserver_flowcontrol_current_inqueue_requests{priority_level="low",flow_schema="a"} 4',
    `apiserver_flowcontrol_dispatched_requests_total{priority_level="low",flow_schema="a"} ${served}`,
  ];
  for (const inUse of ['request_concurrency_in_use', 'current_executing_seats'])
    t.deepEqual(levelsOf([reading(1, ...lines(inUse, 10)), reading(3, ...lines(inUse, 30))]), [
      {name: 'low', seats: 10, inUse: 3, executing: 0, waiting: 4, served: 10, refused: 0},
    ]);
  t.deepEqual(levelsOf([]), []);
});

test('rows of a dump have the names of its columns', (t) => {
  t.deepEqual(dumpRows('PriorityLevelName, Index,  PendingRequests\nexempt,            <none>, <none>\nlow,               3,      7\n'), [
    {PriorityLevelName: 'exempt', Index: '<none>', PendingRequests: '<none>'},
    {PriorityLevelName: 'low', Index: '3', PendingRequests: '7'},
  ]);
});

test('rollouts are read from the columns of each type, and those that go on come first', (t) => {
  const column = (name: string) => ({name, type: 'string', priority: 0});
  const row = (name: string, ...cells: (string | number)[]) => ({
    uid: name,
    name,
    namespace: 'default',
    cells: [name, ...cells],
    labels: {},
    created: 0,
    isDeleting: false,
    version: '1',
  });
  const deployment = ['Name', 'Ready', 'Up-to-date', 'Available'].map(column);
  const daemonSet = ['Name', 'Desired', 'Current', 'Ready', 'Up-to-date'].map(column);
  const statefulSet = ['Name', 'Ready', 'Age'].map(column);
  const found = [
    rolloutOf(deployment, row('done', '3/3', 3, 3)),
    rolloutOf(deployment, row('goes-on', '3/3', 1, 3)),
    rolloutOf(daemonSet, row('daemon', 5, 5, 4, 5)),
    rolloutOf(statefulSet, row('set', '0/0', '1d')),
  ];
  t.deepEqual(
    found.map(({desired, ready, updated}) => [desired, ready, updated]),
    [
      [3, 3, 3],
      [3, 3, 1],
      [5, 4, 5],
      [0, 0, 0],
    ],
  );
  t.deepEqual(
    found.toSorted(compareRollouts).map((rollout) => `${rollout.row.name} ${isDone(rollout)}`),
    ['daemon false', 'goes-on false', 'done true', 'set true'],
  );
});
