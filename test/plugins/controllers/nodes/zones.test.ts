import test from 'ava';
import {TaintQueue} from '../../../../plugins/controllers/node-lifecycle/taint-queue.js';
import {Zones} from '../../../../plugins/controllers/node-lifecycle/zones.js';

const rates = {evictionRate: 0.1, secondaryEvictionRate: 0.01, largeZone: 50, unhealthyShare: 0.55};

function zonesAt() {
  const clock = {now: 0};
  const said: string[] = [];
  const zones = new Zones({
    rates,
    now: () => clock.now,
    allSilent: () => said.push('all silent'),
    firstBack: () => said.push('first back'),
  });
  const count = (counts: Record<string, [ready: number, notReady: number]>) =>
    zones.counted(new Map(Object.entries(counts).map(([zone, [ready, notReady]]) => [zone, {ready, notReady}])));
  return {zones, said, clock, count};
}

/** Nodes that have their turn within some seconds. */
function taintedWithin(queue: TaintQueue, clock: {now: number}, seconds: number): number {
  const until = clock.now + seconds * 1000;
  let count = 0;
  for (;;) {
    const next = queue.next();
    if ('name' in next) count += 1;
    else if (clock.now + next.again > until) return count;
    else clock.now += next.again;
  }
}

test('one node after the other gets its taint, every ten seconds', (t) => {
  const {zones, clock, count} = zonesAt();
  count({a: [10, 3]});
  for (let index = 0; index < 10; index += 1) zones.queue('a').add(`node-${index}`);
  t.is(taintedWithin(zones.queue('a'), clock, 39), 4);
});

test('in a zone with many nodes that are not ready it goes slowly if it is large, and not at all if it is small', (t) => {
  const {zones, clock, count} = zonesAt();
  count({large: [40, 60], small: [4, 6]});
  for (const zone of ['large', 'small']) for (let index = 0; index < 10; index += 1) zones.queue(zone).add(`${zone}-${index}`);
  t.is(taintedWithin(zones.queue('small'), clock, 1000), 0);
  t.is(taintedWithin(zones.queue('large'), clock, 310), 4);
});

test('two nodes are never many, and a zone that is silent as a whole goes as fast as others while another one is well', (t) => {
  const {zones, clock, count, said} = zonesAt();
  count({few: [1, 2], silent: [0, 5], well: [5, 0]});
  for (const zone of ['few', 'silent']) for (let index = 0; index < 10; index += 1) zones.queue(zone).add(`${zone}-${index}`);
  t.is(taintedWithin(zones.queue('few'), clock, 39), 4);
  t.is(taintedWithin(zones.queue('silent'), clock, 0), 1);
  t.deepEqual(said, []);
});

test('where no node at all is ready nothing is tainted until the first is back', (t) => {
  const {zones, clock, count, said} = zonesAt();
  count({a: [1, 0], b: [1, 0]});
  count({a: [0, 1], b: [0, 1]});
  t.deepEqual(said, ['all silent']);
  zones.queue('a').add('one');
  t.is(taintedWithin(zones.queue('a'), clock, 10_000), 0);
  count({a: [0, 1], b: [0, 1]});
  count({a: [0, 1], b: [1, 0]});
  t.deepEqual(said, ['all silent', 'first back']);
  t.is(taintedWithin(zones.queue('a'), clock, 20), 1);
});

test('a node that has had its turn has it again only after it was well', (t) => {
  const queue = new TaintQueue(1, () => 0);
  queue.add('one');
  t.deepEqual(queue.next(), {name: 'one'});
  queue.add('one');
  t.deepEqual(queue.next(), {again: Infinity});
  queue.remove('one');
  queue.add('one');
  t.deepEqual(queue.next(), {again: 1000});
});
