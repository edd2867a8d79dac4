import test from 'ava';
import {doubleHistory, type DoubleHistory, type PlantedFault} from './double.js';
import type {Action, Answer, Operation} from './history.js';
import {IntentChecker} from './intents.js';
import {checkLinearizable} from './linearizable.js';
import {VersionChecker} from './versions.js';
import {checkConverged, checkWatches} from './watches.js';

const firstSeed = Number(process.env.ORCH_TEST_SEED ?? 20_261_122);
const seeds = Array.from({length: 20}, (_, index) => firstSeed + index);

function operation(called: number, returned: number, action: Action, answer: Answer): Operation {
  return {client: 0, key: 'k', called, returned, action, answer};
}
const create = (called: number, returned: number, value: string, answer: Answer = {kind: 'ok'}) =>
  operation(called, returned, {kind: 'create', value}, answer);
const get = (called: number, returned: number, value: string | undefined) =>
  operation(called, returned, {kind: 'get'}, value === undefined ? {kind: 'missing'} : {kind: 'ok', value});
const update = (called: number, returned: number, expected: string, value: string, answer: Answer = {kind: 'ok'}) =>
  operation(called, returned, {kind: 'update', expected, value}, answer);
const remove = (called: number, returned: number, expected: string, answer: Answer = {kind: 'ok'}) =>
  operation(called, returned, {kind: 'delete', expected}, answer);
const lost: Answer = {kind: 'unknown'};

const histories: readonly (readonly [name: string, right: boolean, operations: readonly Operation[]])[] = [
  ['a read during a write may find it', true, [create(0, 10, 'a'), get(1, 2, 'a')]],
  ['a read during a write may not find it', true, [create(0, 10, 'a'), get(1, 2, undefined)]],
  ['once a read has found a write, the next one finds it', false, [create(0, 10, 'a'), get(1, 2, 'a'), get(3, 4, undefined)]],
  ['a read after a write finds it', false, [create(0, 1, 'a'), get(2, 3, undefined)]],
  [
    'of two updates of one value, one is refused',
    true,
    [create(0, 1, 'a'), update(2, 9, 'a', 'b'), update(2, 9, 'a', 'c', {kind: 'conflict'})],
  ],
  ['two updates of one value do not both succeed', false, [create(0, 1, 'a'), update(2, 9, 'a', 'b'), update(2, 9, 'a', 'c')]],
  [
    'a conflict may be about the version alone, where a restore has given the value another one',
    true,
    [
      create(0, 1, 'a', {kind: 'ok', version: 5}),
      operation(2, 3, {kind: 'get'}, {kind: 'ok', value: 'a', version: 9}),
      update(4, 5, 'a', 'b', {kind: 'conflict'}),
    ],
  ],
  [
    'a conflict about a value at its only version needs another value',
    false,
    [
      create(0, 1, 'a', {kind: 'ok', version: 5}),
      operation(2, 3, {kind: 'get'}, {kind: 'ok', value: 'a', version: 5}),
      update(4, 5, 'a', 'b', {kind: 'conflict'}),
    ],
  ],
  ['a conflict needs another value', false, [create(0, 1, 'a'), update(2, 9, 'a', 'b', {kind: 'conflict'})]],
  ['a write without answer may take effect late', true, [create(0, Infinity, 'a', lost), get(1, 2, undefined), get(8, 9, 'a')]],
  ['a write without answer may never take effect', true, [create(0, Infinity, 'a', lost), get(8, 9, undefined)]],
  ['a write without answer does not come and go', false, [create(0, Infinity, 'a', lost), get(1, 2, 'a'), get(3, 4, undefined)]],
  ['a write without answer takes effect once', false, [create(0, Infinity, 'a', lost), get(1, 2, 'a'), remove(3, 4, 'a'), get(5, 6, 'a')]],
  [
    'a deletion without answer may take effect',
    true,
    [create(0, 1, 'a'), remove(2, Infinity, 'a', lost), get(3, 4, 'a'), get(5, 6, undefined)],
  ],
  [
    'a deletion without answer does not delete another value',
    false,
    [create(0, 1, 'a'), remove(2, Infinity, 'a', lost), update(3, 4, 'a', 'b'), get(5, 6, undefined)],
  ],
  ['nothing that exists is created', false, [create(0, 1, 'a'), create(2, 3, 'b')]],
  ['a creation may be refused during another', true, [create(0, 9, 'a'), create(1, 8, 'b', {kind: 'exists'})]],
  ['a creation is not refused where nothing is', false, [create(0, 1, 'a', {kind: 'exists'})]],
];
for (const [name, right, operations] of histories) {
  test(`linearizability: ${name}`, (t) => {
    t.is(checkLinearizable(operations).kind, right ? 'linearizable' : 'violation');
  });
}

test('linearizability: nothing is held against objects of which nothing is known', (t) => {
  t.is(checkLinearizable([get(0, 1, 'a'), update(2, 3, 'a', 'b')], {initial: undefined}).kind, 'linearizable');
  t.is(checkLinearizable([get(0, 1, 'a'), get(2, 3, 'c')], {initial: undefined}).kind, 'violation');
});

test('linearizability: a history that would take too long is undecided, in time', (t) => {
  const many = Array.from({length: 40}, (_, index) => create(0, 100, `v${index}`, index === 0 ? {kind: 'ok'} : lost));
  const removals = many.map((_, index) => remove(0, Infinity, `v${index}`, lost));
  const reads = Array.from({length: 40}, (_, index) => get(0, 100, `v${index}`));
  const began = performance.now();
  t.is(checkLinearizable([...many, ...removals, ...reads], {millis: 200, explanations: 5000}).kind, 'undecided');
  t.true(performance.now() - began < 5000);
});

/** Which checkers find fault with a history. */
function verdicts({operations, sightings, watches, held, real}: DoubleHistory): string[] {
  const versions = new VersionChecker();
  for (const sighting of sightings) versions.note(sighting);
  const written = sightings.map(({version, key}) => ({version, key}));
  return [
    ...(checkLinearizable(operations).kind === 'linearizable' ? [] : ['linearizability']),
    ...(versions.faults.length === 0 ? [] : ['versions']),
    ...(checkWatches(watches, written).length === 0 ? [] : ['watches']),
    ...(checkConverged(0, held, real).length === 0 ? [] : ['convergence']),
  ];
}

test('no checker finds fault with a right store', (t) => {
  for (const seed of seeds) t.deepEqual(verdicts(doubleHistory(seed, 1200)), [], `seed ${seed}`);
});

const planted: readonly (readonly [PlantedFault, string])[] = [
  ['loses writes', 'linearizability'],
  ['reads the past', 'linearizability'],
  ['overwrites', 'linearizability'],
  ['reuses versions', 'versions'],
  ['drops events', 'watches'],
  ['repeats events', 'watches'],
  ['reorders events', 'watches'],
  ['bookmarks too far', 'watches'],
  ['drops events of all watches', 'watches'],
];
for (const [fault, checker] of planted) {
  test(`a store that ${fault} is found out by the checker of ${checker}`, (t) => {
    for (const seed of seeds) t.true(verdicts(doubleHistory(seed, 1200, fault)).includes(checker), `seed ${seed}`);
  });
}

test('a watcher that was not told of a loss holds what is gone, or lacks what is there', (t) => {
  const real = new Map([['a', '1']]);
  t.deepEqual(checkConverged(0, new Map([['a', '1']]), real), []);
  t.is(
    checkConverged(
      0,
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
      real,
    ).length,
    1,
  );
  t.is(checkConverged(0, new Map([['a', '0']]), real).length, 1);
  t.is(checkConverged(0, new Map(), real).length, 1);
});

test('a wish that is sent again makes one object at most, and nothing is made that nobody wanted', (t) => {
  const checker = new IntentChecker();
  checker.intend('one');
  checker.intend('none');
  checker.note('one', 'x-1');
  checker.note('one', 'x-1');
  t.deepEqual(checker.faults, []);
  checker.note('one', 'x-2');
  t.is(checker.faults.length, 1);
  checker.note('other', 'y');
  t.is(checker.faults.length, 2);
});
