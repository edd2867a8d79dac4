import test from 'ava';
import {packSlices} from '../../../../plugins/controllers/endpoint-slice/pack-slices.js';
import {emptyPlan, type SlicePlan} from '../../../../plugins/controllers/endpoint-slice/slice-plan.js';
import {endpointKey, endpointsOf} from '../../../../plugins/families/endpoints/slice-content.js';
import type {Endpoint, EndpointSlice} from '../../../../sdk/types/unchecked/discovery/v1.js';

const endpoint = (number: number): Endpoint => ({addresses: [`10.0.0.${number}`], conditions: {ready: true}});

function slice(name: string, ...numbers: number[]): EndpointSlice {
  return {metadata: {name}, addressType: 'IPv4', endpoints: numbers.map(endpoint), ports: []};
}

function pack(existing: EndpointSlice[], wanted: number[], most = 4): SlicePlan {
  const plan = emptyPlan();
  const desired = new Map(wanted.map((number) => [endpointKey(endpoint(number)), endpoint(number)]));
  const labelsFor = ({metadata}: EndpointSlice) => ({labels: metadata.labels ?? {}, isChanged: false});
  packSlices(existing, desired, {most, labelsFor, make: () => slice('')}, plan);
  return plan;
}

const numbers = (of: EndpointSlice): number[] => endpointsOf(of).map(({addresses}) => Number(addresses![0]!.split('.')[3]));

function shown({create, update, remove, unchanged}: SlicePlan) {
  return {
    create: create.map(numbers),
    update: [...update].map(([before, after]) => [before.metadata.name, ...numbers(after)]),
    remove: remove.map(({metadata}) => metadata.name),
    unchanged: [...unchanged].map(({metadata}) => metadata.name),
  };
}

test('new endpoints fill new slices one after the other', (t) => {
  t.deepEqual(shown(pack([], [1, 2, 3, 4, 5, 6])), {
    create: [
      [1, 2, 3, 4],
      [5, 6],
    ],
    update: [],
    remove: [],
    unchanged: [],
  });
});

test('slices that change anyway are filled first, the fullest before others', (t) => {
  const existing = [slice('a', 1, 2, 9), slice('b', 3, 4, 5, 9), slice('c', 6, 7)];
  t.deepEqual(shown(pack(existing, [1, 2, 3, 4, 5, 6, 7, 10, 11])), {
    create: [],
    update: [
      ['a', 1, 2, 11],
      ['b', 3, 4, 5, 10],
    ],
    remove: [],
    unchanged: ['c'],
  });
});

test('what is left goes into the one slice that is fullest afterwards, or into new ones', (t) => {
  const existing = [slice('a', 1), slice('b', 2, 3), slice('c', 4, 5, 6)];
  t.deepEqual(shown(pack(existing, [1, 2, 3, 4, 5, 6, 10, 11])), {
    create: [],
    update: [['b', 2, 3, 10, 11]],
    remove: [],
    unchanged: ['a', 'c'],
  });
  t.deepEqual(shown(pack([slice('a', 1, 2, 3)], [1, 2, 3, 10, 11])).create, [[10, 11]]);
});

test('slices without anything that is wanted go', (t) => {
  t.deepEqual(shown(pack([slice('a', 1), slice('b', 2)], [2])), {create: [], update: [], remove: ['a'], unchanged: ['b']});
});
