import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';

interface Schema {
  description?: string;
  $ref?: string;
  items?: Schema;
  type?: string;
  'x-orch-field'?: number;
  properties?: Record<string, Schema>;
}
type Documents = Map<string, {definitions: Record<string, Schema>}>;

const {addDescriptions, undescribed} = (await import(pathToFileURL(join(projectRoot(), 'scripts/schemas/add-descriptions.mjs')).href)) as {
  addDescriptions(documents: Documents, files: Record<string, unknown>): void;
  undescribed(documents: Documents): string[];
};

const meta = (name: string): Schema => ({$ref: `meta.orch/v1#/definitions/${name}`});
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: {kind: {type: 'string'}, apiVersion: {type: 'string'}, ...properties},
});

/** Two versions of a group with a type, its list, a status and a condition. */
function documents(): Documents {
  const definitions = (): Record<string, Schema> => ({
    Policy: object({metadata: meta('ObjectMeta'), spec: {$ref: '#/definitions/PolicySpec'}, status: {$ref: '#/definitions/PolicyStatus'}}),
    PolicyList: object({metadata: meta('ListMeta'), items: {type: 'array', items: {$ref: '#/definitions/Policy'}}}),
    PolicySpec: {type: 'object', properties: {size: {type: 'integer'}, colour: {type: 'string'}}},
    PolicyStatus: {
      type: 'object',
      properties: {observedGeneration: {type: 'integer'}, conditions: {type: 'array'}, size: {type: 'integer'}},
    },
    PolicyCondition: {type: 'object', properties: {type: {type: 'string'}, status: {type: 'string'}, note: {type: 'string'}}},
    PolicyRef: {type: 'object', properties: {kind: {type: 'string', 'x-orch-field': 1}, apiVersion: {type: 'string', 'x-orch-field': 2}}},
  });
  return new Map([
    ['shop.orch/v1beta1', {definitions: definitions()}],
    ['shop.orch/v1', {definitions: definitions()}],
  ]);
}

function described(files: Record<string, unknown>): (id: string, name: string, field?: string) => string | undefined {
  const all = documents();
  addDescriptions(all, files);
  return (id, name, field) => {
    const definition = all.get(id)!.definitions[name]!;
    return (field === undefined ? definition : definition.properties![field]!).description;
  };
}

test('one entry describes a type in several versions, and several types', (t) => {
  const of = described({
    'shop.json': {
      'shop.orch/v1beta1,v1 PolicySpec': {'': 'What is wanted.', colour: 'The colour.'},
      'shop.orch/v1 PolicySpec,PolicyStatus': {size: 'How large.'},
    },
  });
  for (const id of ['shop.orch/v1beta1', 'shop.orch/v1']) {
    t.is(of(id, 'PolicySpec'), 'What is wanted.');
    t.is(of(id, 'PolicySpec', 'colour'), 'The colour.');
  }
  t.is(of('shop.orch/v1', 'PolicySpec', 'size'), 'How large.');
  t.is(of('shop.orch/v1', 'PolicyStatus', 'size'), 'How large.');
  t.is(of('shop.orch/v1beta1', 'PolicySpec', 'size'), undefined);
});

test('objects, lists, statuses and conditions are described where nothing was written', (t) => {
  const of = described({'shop.json': {'shop.orch/v1 Policy': {spec: 'The rules.'}}});
  t.is(of('shop.orch/v1', 'Policy', 'spec'), 'The rules.');
  t.is(of('shop.orch/v1beta1', 'Policy', 'spec'), 'The wanted state.');
  t.is(of('shop.orch/v1', 'Policy', 'metadata'), 'Name, labels and the like.');
  t.is(of('shop.orch/v1', 'Policy', 'kind'), 'Name of the type of this object.');
  t.is(of('shop.orch/v1', 'Policy'), undefined);
  t.is(of('shop.orch/v1', 'PolicyList'), 'A list of Policies.');
  t.is(of('shop.orch/v1', 'PolicyList', 'items'), 'The Policies.');
  t.is(of('shop.orch/v1', 'PolicyList', 'metadata'), 'Version and paging of the list.');
  t.is(of('shop.orch/v1', 'PolicyStatus', 'observedGeneration'), 'The generation of the object that the status describes.');
  t.is(of('shop.orch/v1', 'PolicyCondition', 'status'), 'True, False or Unknown.');
  t.is(of('shop.orch/v1', 'PolicyCondition', 'note'), undefined);
  t.is(of('shop.orch/v1', 'PolicyRef', 'kind'), undefined, 'kind of a reference says something else');
});

test('types and fields that nothing was written about are named', (t) => {
  const all = documents();
  all.delete('shop.orch/v1beta1');
  const texts = {Policy: {'': 'Rules.'}, PolicySpec: {'': 'What is wanted.', colour: 'The colour.'}, PolicyRef: {'': 'A link.'}};
  addDescriptions(all, {
    'shop.json': Object.fromEntries(Object.entries(texts).map(([name, members]) => [`shop.orch/v1 ${name}`, members])),
  });
  t.deepEqual(undescribed(all), [
    'shop.orch/v1 PolicySpec size',
    'shop.orch/v1 PolicyStatus',
    'shop.orch/v1 PolicyStatus size',
    'shop.orch/v1 PolicyCondition note',
    'shop.orch/v1 PolicyRef kind',
    'shop.orch/v1 PolicyRef apiVersion',
  ]);
});

test('a description stands before the other members', (t) => {
  const all = documents();
  addDescriptions(all, {'shop.json': {'shop.orch/v1 PolicySpec': {'': 'What is wanted.', size: 'How large.'}}});
  const spec = all.get('shop.orch/v1')!.definitions['PolicySpec']!;
  t.deepEqual([Object.keys(spec)[0], Object.keys(spec.properties!['size']!)[0]], ['description', 'description']);
});

for (const [title, files, message] of [
  ['a type that there is not', {'shop.orch/v1 Rule': {}}, /^shop\.json: shop\.orch\/v1 Rule: there is no type shop\.orch\/v1 Rule$/],
  ['a version that there is not', {'shop.orch/v1,v2 Policy': {}}, /there is no type shop\.orch\/v2 Policy$/],
  [
    'a field that one of the types lacks',
    {'shop.orch/v1 PolicySpec,PolicyStatus': {colour: 'The colour.'}},
    /shop\.orch\/v1 PolicyStatus has no field colour$/,
  ],
  ['a field of a name that every object has', {'shop.orch/v1 PolicySpec': {constructor: 'Who made it.'}}, /has no field constructor$/],
  ['nothing in words', {'shop.orch/v1 PolicySpec': {size: ' '}}, /the description of size is empty$/],
  [
    'a thing that was described before',
    {'shop.orch/v1 PolicySpec': {size: 'How large.'}, 'shop.orch/v1beta1,v1 PolicySpec': {size: 'Its size.'}},
    /size of shop\.orch\/v1 PolicySpec is described twice$/,
  ],
  ['a key without a version', {Policy: {}}, /Policy: not of the form GROUP\/VERSION/],
] as const) {
  test(`an error says so when an entry describes ${title}`, (t) => {
    t.throws(() => described({'shop.json': files}), {message});
  });
}
