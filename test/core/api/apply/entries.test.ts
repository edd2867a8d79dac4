import test from 'ava';
import type {ApiObject, ManagedFieldsEntry} from '../../../../sdk/index.js';
import {conflictError} from '../../../../core/api/apply/managers/conflicts.js';
import {fieldsLastApplied, refreshLastApplied} from '../../../../core/api/apply/managers/last-applied.js';
import {asksForReset, readManagedFields} from '../../../../core/api/apply/managers/managed-fields.js';
import {InvalidFields} from '../../../../core/api/apply/fields/invalid-fields.js';
import {configurationFaults} from '../../../../core/api/apply/typed/configuration-faults.js';
import {mapList, mapOf, mergeSchema, number, setList, struct, text, texts} from './story.js';

const entry = (more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager: 'one',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: {'f:a': {}},
  ...more,
});

test('entries that a client sends are read with their sets in normal form; the later one of the same identity counts', (t) => {
  const read = readManagedFields([
    entry({fieldsV1: {'f:z': {}, 'f:a': {}}}),
    entry({subresource: 'status'}),
    entry({operation: 'Apply', apiVersion: 'v1'}),
    entry({operation: 'Apply', apiVersion: 'v2', fieldsV1: {'f:b': {}}, time: '2030-01-01T00:00:00Z'}),
  ]);
  t.deepEqual(read, [
    entry({fieldsV1: {'f:a': {}, 'f:z': {}}}),
    entry({subresource: 'status'}),
    entry({operation: 'Apply', apiVersion: 'v2', fieldsV1: {'f:b': {}}, time: '2030-01-01T00:00:00Z'}),
  ]);
});

test('entries that cannot be read are refused', (t) => {
  const refused = (more: object, message: string) => t.throws(() => readManagedFields([entry(more)]), {instanceOf: InvalidFields, message});
  refused({operation: undefined}, 'operation must be `Apply` or `Update`');
  refused({operation: 'Patch'}, 'operation must be `Apply` or `Update`');
  refused({apiVersion: undefined}, 'apiVersion must not be empty');
  refused({fieldsType: undefined}, 'missing fieldsType in managed fields entry 0');
  refused({fieldsType: 'FieldsV2'}, 'invalid fieldsType "FieldsV2" in managed fields entry 0');
  refused({fieldsV1: {nonsense: {}}}, 'missing colon: nonsense');
});

test('a list with one empty entry asks for a reset, an empty list does not [A-SSA-34]', (t) => {
  t.true(asksForReset([{}]));
  for (const other of [undefined, null, [], [{}, {}], [entry()], {}]) t.false(asksForReset(other));
});

test('a conflict names manager, version and subresource, and every field', (t) => {
  const owner = entry({manager: 'kube "x"', apiVersion: 'apps/v1'});
  const single = conflictError([{owner, fields: {'f:spec': {'f:replicas': {}}}}]);
  t.is(single.code, 409);
  t.is(single.reason, 'Conflict');
  t.is(single.message, 'Apply failed with 1 conflict: conflict with "kube \\"x\\"" using apps/v1: .spec.replicas');
  t.deepEqual(single.details, {
    causes: [{reason: 'FieldManagerConflict', message: 'conflict with "kube \\"x\\"" using apps/v1', field: '.spec.replicas'}],
  });
  const several = conflictError([
    {owner: entry({operation: 'Apply', manager: 'a'}), fields: {'f:x': {'.': {}, 'f:y': {}}}},
    {owner: entry({subresource: 'scale', manager: 'b'}), fields: {'f:z': {}}},
  ]);
  t.is(
    several.message,
    'Apply failed with 3 conflicts: conflicts with "a":\n- .x\n- .x.y\nconflicts with "b" with subresource "scale" using v1:\n- .z',
  );
  t.is(several.details?.causes?.length, 3);
});

test('a configuration with items that cannot be told apart, or with unknown fields, is at fault', (t) => {
  const schema = mergeSchema(
    struct({
      tags: setList(text),
      parts: mapList(['name', 'kind'], struct({name: text, kind: {...text, default: 'k'}, tags: setList(number)})),
      keyed: mapList(['name'], struct({name: text})),
    }),
  );
  t.deepEqual(configurationFaults(schema, {tags: ['a', 'b'], parts: [{name: 'x'}, {name: 'x', kind: 'other', tags: [1, 2]}]}), []);
  t.deepEqual(configurationFaults(schema, {unknown: [1, 1], keyed: [{name: 'x', odd: null}]}), [
    '.unknown: field not declared in schema',
    '.keyed[name="x"].odd: field not declared in schema',
  ]);
  t.deepEqual(
    configurationFaults(schema, {
      tags: ['a', 'a', {}, null],
      parts: [{name: 'x'}, {name: 'x', kind: 'k', tags: []}, {name: 'y', tags: [1, 1]}, 'text'],
      keyed: [{}],
    }),
    [
      '.tags: duplicate entries for key [="a"]',
      '.tags: element 2: associative list without keys may only have scalar elements',
      '.tags: element 3: associative list without keys may only have scalar elements',
      '.parts: duplicate entries for key [kind="k",name="x"]',
      '.parts[kind="k",name="y"].tags: duplicate entries for key [=1]',
      '.parts: element 3: associative list with keys may not have non-map elements',
      '.keyed: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    ],
  );
});

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const schema = mergeSchema(struct({metadata: struct({name: text, annotations: mapOf(text)}), data: mapOf(text), size: number}));
const version = {apiVersion: 'v1', schema, convert: (object: object) => object as never};
const live = (text: string | undefined, data: object = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'K',
    metadata: {name: 'n', ...(text === undefined ? {} : {annotations: {[annotation]: text}})},
    ...data,
  }) as unknown as ApiObject;

test('what kubectl applied from its side is its own as long as it has the same value', (t) => {
  const last = {apiVersion: 'v1', kind: 'K', data: {a: '1', b: '2', c: '3'}, size: 1};
  t.deepEqual(texts(fieldsLastApplied(live(JSON.stringify(last), {data: {a: '1', b: 'changed'}, size: 1}), version)), ['.data.a', '.size']);
  for (const text of [undefined, '', 'no JSON', '[]', JSON.stringify({...last, apiVersion: 'v2'})]) {
    t.deepEqual(texts(fieldsLastApplied(live(text, {data: {a: '1'}}), version)), []);
  }
});

test('the annotation of kubectl is brought up to date where it is, members in order, and left out when it gets too large', (t) => {
  const config = {kind: 'K', apiVersion: 'v1', metadata: {name: 'n', annotations: {b: 'x', [annotation]: 'old'}}, data: {z: '1', a: '2'}};
  const object = live('before');
  refreshLastApplied(object, config);
  t.is(
    object.metadata.annotations?.[annotation],
    '{"apiVersion":"v1","data":{"a":"2","z":"1"},"kind":"K","metadata":{"annotations":{"b":"x"},"name":"n"}}\n',
  );
  const without = live(undefined);
  refreshLastApplied(without, config);
  t.is(without.metadata.annotations, undefined);
  refreshLastApplied(object, {...config, data: {huge: 'x'.repeat(256 * 1024)}});
  t.deepEqual(object.metadata.annotations, {});
});
