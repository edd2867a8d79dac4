import test from 'ava';
import {applyJsonPatch} from '../../../../core/api/patch/apply-json-patch.js';
import {parseJsonPatch} from '../../../../core/api/patch/json-patch.js';
import {applyMergePatch} from '../../../../core/api/patch/merge-patch.js';
import {applyStrategicMergePatch} from '../../../../core/api/patch/strategic-merge-patch.js';
import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {checkWork, listBy, membersBy, type Work} from './measure-work.js';

type Make = (bytes: number) => unknown;

function steps(name: string, document: Make, operations: (bytes: number) => readonly unknown[]): Work {
  return {
    name,
    prepare: (bytes) => {
      const before = document(bytes) as JsonValue;
      const patch = parseJsonPatch(operations(bytes));
      return () => `${JSON.stringify(applyJsonPatch(before, patch)).length} characters`;
    },
  };
}

const zeros: Make = (bytes) => ({list: Array<number>(Math.floor(bytes / 4)).fill(0)});
/** As many operations as a patch may have. */
const everyTime = (operation: unknown) => (): unknown[] => Array<unknown>(10_000).fill(operation);
const numberedTimes = (make: (index: number) => unknown) => (): unknown[] => Array.from({length: 10_000}, (_, index) => make(index));
const counted: Make = (bytes) => membersBy(bytes, 26, (index) => [`k${index}`, 0]);

test.serial('the operations of a JSON patch are bounded by what they do, not only by their number', async (t) => {
  await checkWork(t, [
    steps('insertions at the beginning', zeros, everyTime({op: 'add', path: '/list/0', value: 1})),
    steps('removals at the beginning', zeros, everyTime({op: 'remove', path: '/list/1'})),
    steps('moves from the beginning to the end', zeros, everyTime({op: 'move', from: '/list/1', path: '/list/-'})),
    steps('tests of everything', zeros, everyTime({op: 'test', path: '', value: {list: []}})),
    steps('tests of many members', (bytes) => ({map: counted(bytes)}), everyTime({op: 'test', path: '/map', value: {k0: 0}})),
    steps(
      'copies of one text',
      () => ({text: 'x'.repeat(300)}),
      numberedTimes((index) => ({op: 'copy', from: '/text', path: `/copy${index}`})),
    ),
    steps(
      'copies of a list',
      (bytes) => ({...(zeros(bytes) as object), copies: []}),
      everyTime({op: 'copy', from: '/list', path: '/copies/-'}),
    ),
    steps('copies of copies', () => ({list: [0]}), everyTime({op: 'copy', from: '/list', path: '/list/-'})),
    steps(
      'removed members',
      (bytes) => membersBy(Math.max(bytes, 2_000_000), 26, (index) => [`k${index}`, 0]),
      numberedTimes((index) => ({op: 'remove', path: `/k${index}`})),
    ),
    steps('deep paths', () => deep(140), everyTime({op: 'replace', path: `${'/a'.repeat(140)}/end`, value: 1})),
  ]);
});

function deep(levels: number): JsonObject {
  let value: JsonObject = {end: 0};
  for (let level = 0; level < levels; level++) value = {a: value};
  return value;
}

function merged(name: string, document: Make, patch: Make): Work {
  return {
    name,
    prepare: (bytes) => {
      const before = document(bytes) as JsonValue;
      const change = patch(bytes) as JsonValue;
      return () => `${JSON.stringify(applyMergePatch(before, change)).length} characters`;
    },
  };
}

test.serial('a merge patch takes time as it is large', async (t) => {
  await checkWork(t, [
    merged(
      'members',
      (bytes) => membersBy(bytes, 13, (index) => [`k${index}`, 0]),
      (bytes) => membersBy(bytes, 13, (index) => [`w${index}`, 0]),
    ),
    merged(
      'members that are removed',
      (bytes) => membersBy(bytes, 13, (index) => [`k${index}`, 0]),
      (bytes) => membersBy(bytes, 13, (index) => [`k${index}`, null]),
    ),
    merged(
      'deep objects',
      () => ({}),
      (bytes) => membersBy(bytes, 6000, (index) => [`k${index}`, deep(900)]),
    ),
  ]);
});

function strategic(name: string, document: Make, patch: Make): Work {
  // Every list below it is merged by the member k.
  type Rules = Parameters<typeof applyStrategicMergePatch>[2];
  const rules: Rules = {child: () => rules, element: () => rules, mergeKey: 'k', strategies: ['merge']} as Rules;
  return {
    name,
    prepare: (bytes) => {
      const before = document(bytes) as JsonObject;
      const change = patch(bytes) as JsonObject;
      return () => `${JSON.stringify(applyStrategicMergePatch(before, change, rules)).length} characters`;
    },
  };
}

test.serial('a strategic merge patch takes time as it is large', async (t) => {
  const texts = (first: string) => (bytes: number) => listBy(bytes, 11, (index) => `${first}${index}`);
  const items = (first: string) => (bytes: number) => listBy(bytes, 18, (index) => ({k: `${first}${index}`, v: '1'}));
  const same = (bytes: number) => listBy(bytes, 18, () => ({k: 'v0', v: '1'}));
  const list =
    (make: Make): Make =>
    (bytes) => ({list: make(bytes)});
  const members: Make = (bytes) => membersBy(bytes, 13, (index) => [`k${index}`, 0]);
  await checkWork(t, [
    strategic('texts', list(texts('v')), list(texts('w'))),
    strategic('the same texts', list(texts('v')), list(texts('v'))),
    strategic('items', list(items('v')), list(items('w'))),
    strategic('the same items', list(items('v')), list(items('v'))),
    strategic('one key in all items', list(items('v')), list(same)),
    strategic('one key in all items of the object', list(same), list(same)),
    strategic('removed items', list(items('v')), (bytes) => ({list: listBy(bytes, 30, (index) => ({k: `v${index}`, $patch: 'delete'}))})),
    strategic('a new order', list(items('v')), (bytes) => ({
      list: [],
      '$setElementOrder/list': listBy(bytes, 18, (index) => ({k: `v${index}`})).toReversed(),
    })),
    strategic('removed texts', list(texts('v')), (bytes) => ({'$deleteFromPrimitiveList/list': texts('v')(bytes)})),
    strategic('retained members', members, (bytes) => ({$retainKeys: Object.keys(members(bytes) as object)})),
  ]);
});
