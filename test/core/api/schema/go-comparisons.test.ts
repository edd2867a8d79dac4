import test from 'ava';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import type {JsonObject} from '../../../../sdk/index.js';
import {decoded, specSchema, texts} from './catalog-fixture.js';

/** The faults of an object whose `spec` has a schema, in a release. */
function faultsOf(spec: JsonSchema, value: unknown, release = '1.36'): string[] {
  return texts(specSchema(spec, new SchemaCatalog(undefined, release)).validate({spec: value} as JsonObject));
}

const anything: JsonSchema = {'x-kubernetes-preserve-unknown-fields': true};

test('a number that Go can convert to a value of an enum is one', (t) => {
  const some: JsonSchema = {...anything, enum: [1, 'a', '\ufffd']};
  for (const value of [1, 1n, 1.5, 97, 97n, -1, 0xd800, 2n ** 60n]) t.deepEqual(faultsOf(some, value), [], String(value));
  for (const value of [2, 2.5, 98, true, '1', []]) t.is(faultsOf(some, value).length, 1, String(value));
});

test('null is no value of an enum, whatever the enum says', (t) => {
  t.deepEqual(faultsOf({type: 'string', nullable: true, enum: ['a', null]}, null), [
    'spec: Unsupported value: null: supported values: "a", "null"',
  ]);
});

test('an integer is compared with the integer part of what a number has to be a multiple of', (t) => {
  const half: JsonSchema = {type: 'number', multipleOf: 0.5};
  const positive = 'spec: Invalid value: 0: factor MultipleOf declared for spec must be positive: 0';
  t.deepEqual(faultsOf(half, 1.5), []);
  t.deepEqual(faultsOf(half, 1), [positive]);
  t.deepEqual(faultsOf({type: 'number', multipleOf: 2.5}, 4), []);
  t.deepEqual(faultsOf(half, 10n ** 20n), ['spec: Invalid value: 1e+20: spec in body should be a multiple of 0.5']);
});

test('bounds of integers lose their fraction before 1.36, and are at fault for it since then', (t) => {
  const schema: JsonSchema = {type: 'integer', minimum: 1.5};
  t.deepEqual(faultsOf(schema, 1, '1.35'), []);
  t.deepEqual(faultsOf(schema, 1), [
    '<nil>: Invalid value: "": Minimum boundary value must be of type integer (default format) in spec',
    'spec: Invalid value: 1: spec in body should be greater than or equal to 1.5',
  ]);
});

test('a fraction where an integer is wanted is of the wrong type, and from 1.36 on out of its range', (t) => {
  const ofType = 'spec: Invalid value: "number": spec in body must be of type integer: "number"';
  const ofRange = '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec';
  for (const value of [1.5, 10n ** 20n]) {
    t.deepEqual(faultsOf({type: 'integer'}, value), [ofType, ofRange]);
    t.deepEqual(faultsOf({type: 'integer'}, value, '1.35'), [ofType]);
  }
});

test('formats of numbers are no formats before 1.36', (t) => {
  const schema: JsonSchema = {type: 'integer', format: 'int32'};
  t.deepEqual(faultsOf(schema, true), ['spec: Invalid value: "": spec in body must be of type int32: ""']);
  t.deepEqual(faultsOf(schema, true, '1.35'), ['spec: Invalid value: "boolean": spec in body must be of type integer: "boolean"']);
});

test('a list passes for a text with a format, and its objects lose their members', (t) => {
  const schema = specSchema({type: 'string', format: 'ipv4'});
  const outcome = decoded(schema, {spec: ['a', {b: 1}, null]});
  t.deepEqual(outcome.object, {spec: ['a', {}, null]});
  t.false(outcome.isMistyped);
  t.deepEqual(texts(schema.validate(outcome.object)), []);
  t.true(decoded(specSchema({type: 'string'}), {spec: ['a']}).isMistyped);
});

test('a null in a list of anything stays', (t) => {
  const outcome = decoded(specSchema({type: 'array', items: anything}), {spec: [null]});
  t.deepEqual(outcome.object, {spec: [null]});
  t.false(outcome.isMistyped);
});

test('what is wrong is shown as JSON with sorted names from 1.34 on, and as in a program before', (t) => {
  const some: JsonSchema = {...anything, enum: ['a']};
  const shown = (value: unknown, release: string) =>
    faultsOf(some, value, release)[0]!.replace(/^.*? value: (.*): supported values: .*$/, '$1');
  const value = {z: [1, null, 'q"'], b: {c: true}};
  t.is(shown(value, '1.34'), String.raw`{"b":{"c":true},"z":[1,null,"q\""]}`);
  t.is(
    shown(value, '1.33'),
    String.raw`map[string]interface {}{"b":map[string]interface {}{"c":true}, "z":[]interface {}{1, interface {}(nil), "q\""}}`,
  );
  t.is(shown(null, '1.34'), 'null');
  t.is(shown(null, '1.33'), '"null"');
  for (const release of ['1.33', '1.34']) {
    t.is(shown(10n ** 20n, release), '1e+20');
    t.true(
      shown(
        Array.from({length: 100_000}, () => ({a: 'b'})),
        release,
      ).length < 1200,
    );
  }
});

test('faults of a status that is written by itself have no place but in the status, in 1.29 and 1.30', (t) => {
  const fault = (release: string) => {
    const part: JsonSchema = {type: 'object', properties: {a: {type: 'integer'}}};
    const schema = new SchemaCatalog(undefined, release).fromInline({type: 'object', properties: {status: part}});
    return texts(schema.validate({status: {a: 'x'}}, {}, {isStatus: true}));
  };
  const detail = 'Invalid value: "string": a in body must be of type integer: "string"';
  t.deepEqual(fault('1.30'), [`a: ${detail}`]);
  t.deepEqual(fault('1.31'), [`status.a: ${detail}`]);
});
