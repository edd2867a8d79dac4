import test from 'ava';
import {SetClock} from '../../../helpers/set-clock.js';
import {SchedulingQueue} from '../../../../plugins/controllers/scheduler/queue/scheduling-queue.js';
import {ClusterTable} from './cluster-table.js';

function setup() {
  const clock = new SetClock(0);
  return {clock, queue: new SchedulingQueue(clock, () => undefined), table: new ClusterTable({})};
}

test('pods come by priority, then in the order in which they came', (t) => {
  const {queue, table} = setup();
  const pods = [0, 5, 0, 5].map((priority) => table.pod({priority}));
  for (const pod of pods) queue.add(pod);
  const order = [queue.next(), queue.next(), queue.next(), queue.next()].map((each) => pods.indexOf(each!.pod));
  t.deepEqual(order, [1, 3, 0, 2]);
  t.is(queue.next(), undefined);
});

test('a refused pod waits for an event that helps, then for its pause unless nothing else is to be done', (t) => {
  const {queue, table} = setup();
  queue.add(table.pod());
  queue.refused(queue.next()!, new Set(['NodeResourcesFit']));
  t.is(queue.next(), undefined);
  queue.move(() => false);
  t.like(queue.sizes, {unschedulable: 1, backoff: 0});
  queue.move(({refusedBy}) => refusedBy.has('NodeResourcesFit'));
  t.like(queue.sizes, {unschedulable: 0, backoff: 1});
  t.is(queue.next()!.attempts, 1);
});

test('after errors the pauses double up to ten seconds', (t) => {
  const {clock, queue, table} = setup();
  queue.add(table.pod());
  for (const seconds of [1, 2, 4, 8, 10, 10]) {
    queue.failed(queue.next()!);
    clock.set(clock.now() + seconds * 1000 - 1);
    t.is(queue.next(), undefined);
    clock.set(clock.now() + 1);
    t.is(queue.sizes.active, 1);
  }
});

test('a pod that nothing helps is tried again after five minutes', (t) => {
  const {clock, queue, table} = setup();
  queue.add(table.pod());
  queue.refused(queue.next()!, new Set(['NodeAffinity']));
  clock.set(clock.now() + 299_000);
  t.is(queue.sizes.active, 0);
  clock.set(clock.now() + 31_000);
  t.is(queue.sizes.active, 1);
});

test('an event is compared once for all pods of a template that were refused alike, and helps those that wait for nothing else', (t) => {
  const {queue, table} = setup();
  for (let index = 0; index < 50; index += 1) queue.add(table.pod({}, {app: 'web'}));
  for (let index = 0; index < 50; index += 1) queue.add(table.pod({}, {app: 'other'}));
  const refused: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) {
    queue.refused(next, new Set(refused.length % 2 === 0 ? ['NodeAffinity'] : ['NodeAffinity', 'NodePorts']));
    refused.push(next.pod.key);
  }
  let asked = 0;
  queue.move(
    ({pod, refusedBy}) => {
      asked += 1;
      return pod.shape.labels['app'] === 'web' && refusedBy.has('NodePorts');
    },
    (key) => key === refused[1],
  );
  t.is(asked, 4);
  t.like(queue.sizes, {unschedulable: 76, backoff: 24});
  t.is(queue.next()!.pod.key, refused[3]!);
});
