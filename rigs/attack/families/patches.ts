import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {bodyAttack, fillWith} from './body-attack.js';
import {configMap} from './objects.js';

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const apply = 'application/apply-patch+yaml';

const target = (attacker: Attacker) => `${attacker.path('configmaps')}/target`;
const makeTarget = (attacker: Attacker) => attacker.make(attacker.path('configmaps'), configMap('target'));
const podTarget = (attacker: Attacker) => `${attacker.path('pods')}/target`;
const makePod = (attacker: Attacker) =>
  attacker.make(attacker.path('pods'), {
    metadata: {name: 'target'},
    spec: {containers: [{name: 'c', image: 'i', env: Array.from({length: 500}, (_, number) => ({name: `E${number}`, value: 'v'}))}]},
  });

const settled: Attack['outcomes'] = [200, 400, 409, 413, 422];

/** One patch on an object that is there. */
const onTarget = (name: string, type: string, body: () => string, query = '') =>
  bodyAttack({name, method: 'PATCH', type, path: (attacker) => target(attacker) + query, prepare: makeTarget, body, outcomes: settled});

const onPod = (name: string, type: string, body: () => string, query = '?dryRun=All') =>
  bodyAttack({name, method: 'PATCH', type, path: (attacker) => podTarget(attacker) + query, prepare: makePod, body, outcomes: settled});

/** Patches one behind the other, each of which makes the object larger. */
const growing = (name: string, type: string, patch: (number: number) => string, query = ''): Attack => ({
  name,
  outcomes: [413, 422, 200],
  leavesMegabytes: 25,
  prepare: makeTarget,
  run: (attacker) => attacker.repeat(30, 2, (number) => attacker.call('PATCH', target(attacker) + query, {type, body: patch(number)})),
});

const megabyte = 'x'.repeat(1_000_000);
const operations = (operation: (number: number) => string, bytes?: number) => `[${fillWith(operation, ',', bytes)}]`;
/** Each copies the whole of what is there beside it. */
const copies = (count: number) => {
  const first = '{"op":"add","path":"/data/c0","value":"' + 'x'.repeat(1_000) + '"}';
  const tree = Array.from({length: count}, (_, number) => `{"op":"copy","from":"/data","path":"/data/c${number + 1}"}`);
  return `[${[first, ...tree].join(',')}]`;
};

/** So many members as an object may have values. */
const members = (value: string) => `{${Array.from({length: 29_000}, (_, number) => `"k${number}":"${value}"`).join(',')}}`;

export const patches = family('patches', [
  onTarget('strategic-map', strategic, () => `{"data":${members('v')}}`),
  onTarget('merge-map', merge, () => `{"data":${members('v')}}`),
  onTarget(
    'apply-map',
    apply,
    () => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target"},"data":${members('v')}}`,
    '?fieldManager=attacker&force=true',
  ),
  onPod('strategic-labels', strategic, () => `{"metadata":{"labels":${members('v')}}}`),
  growing('grow-by-merge', merge, (number) => `{"data":{"k${number}":"${megabyte}"}}`),
  growing('grow-by-json', json, (number) => `[{"op":"add","path":"/data/k${number}","value":"${megabyte}"}]`),
  growing('grow-by-strategic', strategic, (number) => `{"data":{"k${number}":"${megabyte}"}}`),
  growing(
    'grow-by-apply',
    apply,
    (number) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target"},"data":{"k${number}":"${megabyte}"}}`,
    '?fieldManager=attacker&force=true',
  ),
  growing('grow-by-managers', merge, (number) => `{"data":{"k${number}":"${'x'.repeat(2000)}"}}`, '?fieldManager=m'),
  growing('grow-annotations', merge, (number) => `{"metadata":{"annotations":{"k${number}":"${'x'.repeat(200_000)}"}}}`),
  growing(
    'grow-finalizers',
    json,
    (number) => `[${fillWith((n) => `{"op":"add","path":"/metadata/finalizers","value":["a.example/f${number}-${n}"]}`, ',', 2_000)}]`,
  ),
  {
    name: 'many-managers',
    outcomes: [200, 422, 413],
    seconds: 4,
    leavesMegabytes: 25,
    prepare: makeTarget,
    run: (attacker) =>
      attacker.repeat(600, 4, (number) =>
        attacker.call('PATCH', `${target(attacker)}?fieldManager=manager-${number}`, {type: merge, body: `{"data":{"k${number}":"v"}}`}),
      ),
  },
  {
    name: 'many-appliers',
    outcomes: [200, 422, 413],
    seconds: 4,
    leavesMegabytes: 25,
    prepare: makeTarget,
    run: (attacker) =>
      attacker.repeat(600, 4, (number) =>
        attacker.call('PATCH', `${target(attacker)}?fieldManager=applier-${number}&force=true`, {
          type: apply,
          body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target"},"data":{"k${number}":"v","same":"${number}"}}`,
        }),
      ),
  },
  onTarget('copies', json, () => copies(20)),
  onTarget('copies-many', json, () => copies(2_000)),
  onTarget(
    'copies-of-text',
    json,
    () =>
      `[{"op":"add","path":"/data/a","value":"${megabyte}"},${Array.from({length: 9_000}, (_, n) => `{"op":"copy","from":"/data/a","path":"/data/c${n}"}`).join(',')}]`,
  ),
  onTarget(
    'operations-10000',
    json,
    () => `[${Array.from({length: 10_000}, (_, n) => `{"op":"add","path":"/data/k${n}","value":"v"}`).join(',')}]`,
  ),
  onTarget('operations-as-many-as-fit', json, () => operations(() => '{"op":"test","path":"/data","value":1}')),
  onTarget(
    'operations-of-copy-and-test',
    json,
    () =>
      `[{"op":"add","path":"/data/a","value":"${megabyte}"},${Array.from({length: 9_000}, () => `{"op":"test","path":"/data/a","value":"${'y'.repeat(100)}"}`).join(',')}]`,
  ),
  onTarget(
    'add-at-front',
    json,
    () =>
      `[{"op":"add","path":"/metadata/finalizers","value":[]},${Array.from({length: 9_000}, (_, n) => `{"op":"add","path":"/metadata/finalizers/0","value":"a.example/f${n}"}`).join(',')}]`,
  ),
  onTarget(
    'remove-from-front',
    json,
    () =>
      `[{"op":"add","path":"/metadata/finalizers","value":[${Array.from({length: 50_000}, (_, n) => `"a.example/f${n}"`).join(',')}]},${Array.from({length: 9_000}, () => '{"op":"remove","path":"/metadata/finalizers/0"}').join(',')}]`,
  ),
  onTarget(
    'moves',
    json,
    () =>
      `[{"op":"add","path":"/data/a","value":"x"},${Array.from({length: 9_000}, (_, n) => `{"op":"move","from":"/data/${n % 2 ? 'b' : 'a'}","path":"/data/${n % 2 ? 'a' : 'b'}"}`).join(',')}]`,
  ),
  onTarget('long-pointer', json, () => `[{"op":"add","path":"${'/a'.repeat(1_000_000)}","value":1}]`),
  onTarget('escaped-pointer', json, () => `[{"op":"add","path":"/data/${'~1'.repeat(1_000_000)}","value":"v"}]`),
  onTarget('deep-value', json, () => `[{"op":"add","path":"/data/a","value":${'['.repeat(500_000)}${']'.repeat(500_000)}}]`),
  onTarget('merge-depth', merge, () => `{"data":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`),
  onTarget('merge-many-nulls', merge, () => `{"data":{${fillWith((n) => `"k${n}":null`)}}}`),
  onTarget('merge-many-members', merge, () => `{"data":{${fillWith((n) => `"k${n}":""`)}}}`),
  onTarget('merge-many-unknown', merge, () => `{${fillWith((n) => `"k${n}":1`)}}`),
  onTarget('strategic-depth', strategic, () => `{"data":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`),
  onTarget('strategic-many-directives', strategic, () => `{"metadata":{${fillWith((n) => `"$setElementOrder/k${n}":[]`)}}}`),
  onTarget(
    'strategic-delete-from-list',
    strategic,
    () => `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${fillWith((n) => `"f${n}"`)}]}}`,
  ),
  onTarget(
    'strategic-order-of-list',
    strategic,
    () =>
      `{"metadata":{"finalizers":[${fillWith((n) => `"a.example/f${n}"`, ',', 1_300_000)}],"$setElementOrder/finalizers":[${fillWith((n) => `"a.example/f${n}"`, ',', 1_300_000)}]}}`,
  ),
  onTarget(
    'apply-many-members',
    apply,
    () => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target"},"data":{${fillWith((n) => `"k${n}":""`)}}}`,
    '?fieldManager=attacker&dryRun=All',
  ),
  onTarget(
    'apply-long-names',
    apply,
    () =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target"},"data":{${Array.from({length: 100}, (_, n) => `"${'k'.repeat(20_000)}${n}":""`).join(',')}}}`,
    '?fieldManager=attacker&dryRun=All',
  ),
  onPod(
    'strategic-merge-keys',
    strategic,
    () => `{"spec":{"containers":[{"name":"c","env":[${fillWith((n) => `{"name":"E${n}","value":"w"}`)}]}]}}`,
  ),
  onPod(
    'strategic-same-merge-key',
    strategic,
    () => `{"spec":{"containers":[{"name":"c","env":[${fillWith(() => '{"name":"E1","value":"w"}')}]}]}}`,
  ),
  onPod(
    'strategic-order-of-merge-keys',
    strategic,
    () =>
      `{"spec":{"containers":[{"name":"c","env":[${fillWith((n) => `{"name":"E${n}","value":"w"}`, ',', 1_300_000)}],"$setElementOrder/env":[${fillWith((n) => `{"name":"E${n}"}`, ',', 1_300_000)}]}]}}`,
  ),
  onPod(
    'strategic-deletions',
    strategic,
    () => `{"spec":{"containers":[{"name":"c","env":[${fillWith((n) => `{"name":"E${n}","$patch":"delete"}`)}]}]}}`,
  ),
  onPod(
    'apply-list-keys',
    apply,
    () =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"target"},"spec":{"containers":[{"name":"c","image":"i","env":[${fillWith((n) => `{"name":"E${n}","value":"w"}`, ',', 1_000_000)}]}]}}`,
    '?fieldManager=attacker&force=true&dryRun=All',
  ),
  onPod(
    'apply-same-list-key',
    apply,
    () =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"target"},"spec":{"containers":[{"name":"c","image":"i","env":[${fillWith(() => '{"name":"E1","value":"w"}', ',', 1_000_000)}]}]}}`,
    '?fieldManager=attacker&force=true&dryRun=All',
  ),
  {
    name: 'conflicting-updates',
    outcomes: [200, 409],
    prepare: makeTarget,
    run: (attacker) =>
      attacker.repeat(500, 20, (number) =>
        attacker.call('PATCH', target(attacker), {type: merge, body: `{"data":{"k":"${number}-${'x'.repeat(20_000)}"}}`}),
      ),
  },
  {
    name: 'history-of-a-large-object',
    outcomes: [200],
    leavesMegabytes: 64,
    seconds: 4,
    prepare: makeTarget,
    run: (attacker) =>
      attacker.repeat(300, 2, (number) =>
        attacker.call('PATCH', target(attacker), {type: merge, body: `{"data":{"k":"${number}-${'x'.repeat(900_000)}"}}`}),
      ),
  },
]);
