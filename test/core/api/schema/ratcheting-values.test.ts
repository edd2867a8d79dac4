import test from 'ava';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {fieldErrorText, type JsonObject} from '../../../../sdk/index.js';

const text = {type: 'string', maxLength: 2};
const list = (type: string | undefined) => ({
  type: 'array',
  items: {type: 'object', properties: {k: {type: 'string'}, v: text}},
  ...(type && {'x-kubernetes-list-type': type}),
  ...(type === 'map' && {'x-kubernetes-list-map-keys': ['k']}),
});

/** The faults of an update of `spec`, in a release. */
function faultsOf(spec: object, before: unknown, after: unknown, release = '1.36', member = 'spec'): string[] {
  const root = {type: 'object', properties: {spec, status: spec}};
  const schema = new SchemaCatalog(undefined, release).fromInline(root as never);
  const object = (value: unknown) => ({apiVersion: 'a.b/v1', kind: 'A', metadata: {name: 'a'}, [member]: value}) as JsonObject;
  return schema.validate(object(after), object(before), {isStatus: member === 'status'}).map(fieldErrorText);
}

const two = {type: 'object', properties: {a: text, b: {type: 'string'}}};
const tooLong = 'Too long: may not be more than 2 bytes';

test('what an update leaves as it was may be invalid', (t) => {
  t.deepEqual(faultsOf(two, {a: 'long'}, {a: 'long', b: 'x'}), []);
  t.deepEqual(faultsOf(two, {a: 'long'}, {a: 'longer', b: 'x'}), [`spec.a: ${tooLong}`]);
  t.deepEqual(faultsOf(two, {b: 'x'}, {a: 'long', b: 'x'}), [`spec.a: ${tooLong}`]);
});

test('a release without ratcheting refuses it', (t) => {
  t.deepEqual(faultsOf(two, {a: 'long'}, {a: 'long', b: 'x'}, '1.29'), ['spec.a: Too long: may not be longer than 2']);
});

test('items of a list of type map are known by their keys, wherever they are', (t) => {
  const before = [{k: 'x', v: 'long'}, {k: 'y'}];
  t.deepEqual(
    faultsOf(list('map'), before, [
      {k: 'y', v: 'z'},
      {k: 'x', v: 'long'},
    ]),
    [],
  );
  t.deepEqual(faultsOf(list('map'), before, [{k: 'y'}, {k: 'z', v: 'long'}]), [`spec[1].v: ${tooLong}`]);
});

for (const type of [undefined, 'atomic', 'set'] as const)
  test(`a list of type ${type ?? 'atomic by default'} is left as it was only as a whole`, (t) => {
    const before = [{k: 'x', v: 'long'}];
    t.deepEqual(faultsOf(list(type), before, before), []);
    t.deepEqual(faultsOf(list(type), before, [...before, {k: 'y'}]), [`spec[0].v: ${tooLong}`]);
  });

test('what is under anyOf and the like is judged as in a new object, unless all of the value stays', (t) => {
  const either = {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}, anyOf: [{properties: {a: {maxLength: 1}}}]};
  t.deepEqual(faultsOf(either, {a: 'xx'}, {a: 'xx'}), []);
  t.is(faultsOf(either, {a: 'xx'}, {a: 'xx', b: 'y'}).length, 2);
});

test('the status is judged by itself, and ratcheted from 1.31 on', (t) => {
  t.deepEqual(faultsOf(two, {a: 'long'}, {a: 'long', b: 'x'}, '1.36', 'status'), []);
  t.deepEqual(faultsOf(two, {a: 'long'}, {a: 'long', b: 'x'}, '1.30', 'status'), ['a: Too long: may not be longer than 2']);
});
