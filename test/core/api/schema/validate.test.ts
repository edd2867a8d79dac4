import test from 'ava';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {faultsOfSpec, specSchema, texts} from './catalog-fixture.js';

const cases: readonly {title: string; schema: JsonSchema; good: readonly unknown[]; bad: readonly (readonly [unknown, ...string[]])[]}[] = [
  {
    title: 'type is enforced',
    schema: {type: 'integer'},
    good: [1],
    bad: [['x', 'spec: Invalid value: "string": spec in body must be of type integer: "string"']],
  },
  {
    title: 'required members must be there',
    schema: {type: 'object', required: ['a', 'toString'], properties: {a: {type: 'string'}}, 'x-kubernetes-preserve-unknown-fields': true},
    good: [{a: '', toString: 1}],
    bad: [[{a: 'x'}, 'spec.toString: Required value']],
  },
  {
    title: 'enum is enforced',
    schema: {type: 'string', enum: ['b', 'a']},
    good: ['a'],
    bad: [['z', 'spec: Unsupported value: "z": supported values: "b", "a"']],
  },
  {
    title: 'minimum is inclusive',
    schema: {type: 'integer', minimum: 1},
    good: [1, 1n],
    bad: [[0, 'spec: Invalid value: 0: spec in body should be greater than or equal to 1']],
  },
  {
    title: 'exclusive bounds exclude themselves',
    schema: {type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true},
    good: [1.5],
    bad: [
      [1, 'spec: Invalid value: 1: spec in body should be greater than 1'],
      [2, 'spec: Invalid value: 2: spec in body should be less than 2'],
    ],
  },
  {
    title: 'maximum is inclusive',
    schema: {type: 'integer', maximum: 5},
    good: [5],
    bad: [[6, 'spec: Invalid value: 6: spec in body should be less than or equal to 5']],
  },
  {
    title: 'multipleOf is enforced',
    schema: {type: 'integer', multipleOf: 3},
    good: [9, 9n],
    bad: [[10, 'spec: Invalid value: 10: spec in body should be a multiple of 3']],
  },
  {
    title: 'maxLength counts characters',
    schema: {type: 'string', maxLength: 2},
    good: ['ab', '😀😀'],
    bad: [['abc', 'spec: Too long: may not be longer than 2']],
  },
  {
    title: 'minLength counts characters',
    schema: {type: 'string', minLength: 2},
    good: ['ab'],
    bad: [['😀', 'spec: Invalid value: "😀": spec in body should be at least 2 chars long']],
  },
  {
    title: 'pattern is searched in the text',
    schema: {type: 'string', pattern: 'a$'},
    good: ['ba'],
    bad: [['ab', 'spec: Invalid value: "ab": spec in body should match \'a$\'']],
  },
  {
    title: 'a pattern that cannot be read fits nothing',
    schema: {type: 'string', pattern: '(?=a)'},
    good: [],
    bad: [
      [
        'a',
        'spec: Invalid value: "a": spec in body should match \'(?=a), but pattern is invalid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`\'',
      ],
    ],
  },
  {
    title: 'maxItems is enforced',
    schema: {type: 'array', maxItems: 1},
    good: [[1]],
    bad: [[[1, 2], 'spec: Too many: 2: must have at most 1 items']],
  },
  {
    title: 'minItems is enforced',
    schema: {type: 'array', minItems: 1},
    good: [[1]],
    bad: [[[], 'spec: Invalid value: 0: spec in body should have at least 1 items']],
  },
  {
    title: 'maxProperties is enforced',
    schema: {type: 'object', maxProperties: 1},
    good: [{a: 1}],
    bad: [[{a: 1, b: 1}, 'spec: Too many: 2: must have at most 1 items']],
  },
  {
    title: 'minProperties is enforced',
    schema: {type: 'object', minProperties: 1},
    good: [{a: 1}],
    bad: [[{}, 'spec: Invalid value: 0: spec in body should have at least 1 properties']],
  },
  {
    title: 'items and map values follow their schemas',
    schema: {type: 'object', additionalProperties: {type: 'array', items: {type: 'integer', maximum: 1}}},
    good: [{a: [1]}],
    bad: [[{a: [1, 2]}, 'spec.a[1]: Invalid value: 2: spec.a[1] in body should be less than or equal to 1']],
  },
  {
    title: 'a list of type set has no value twice',
    schema: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'set'},
    good: [['a', 'b']],
    bad: [[['a', 'b', 'a'], 'spec[2]: Duplicate value: "a"']],
  },
  {
    title: 'a list of type map has no keys twice, defaults counted',
    schema: {
      type: 'array',
      items: {type: 'object', properties: {port: {type: 'integer'}, protocol: {type: 'string', default: 'TCP'}}},
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    good: [[{port: 1}, {port: 1, protocol: 'UDP'}]],
    bad: [[[{port: 1}, {port: 1, protocol: 'TCP'}], 'spec[1]: Duplicate value: map[string]interface {}{"port":1, "protocol":"TCP"}']],
  },
  {
    title: 'anyOf needs one schema that fits',
    schema: {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}, anyOf: [{required: ['a']}, {required: ['b']}]},
    good: [{a: 'x'}, {a: 'x', b: 'y'}],
    bad: [[{}, '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)', 'spec.a: Required value']],
  },
  {
    title: 'oneOf needs exactly one schema that fits',
    schema: {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}, oneOf: [{required: ['a']}, {required: ['b']}]},
    good: [{a: 'x'}],
    bad: [
      [{}, '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid', 'spec.a: Required value'],
      [{a: 'x', b: 'y'}, '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
  },
  {
    title: 'allOf needs all schemas',
    schema: {type: 'integer', allOf: [{minimum: 1}, {maximum: 3}]},
    good: [2],
    bad: [
      [
        4,
        'spec: Invalid value: 4: spec in body should be less than or equal to 3',
        '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
      ],
      ['x', 'spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    ],
  },
  {
    title: 'not refuses what fits',
    schema: {type: 'string', not: {enum: ['x']}},
    good: ['y'],
    bad: [['x', '<nil>: Invalid value: "": "spec" must not validate the schema (not)']],
  },
  {
    title: 'an integer fits 64 bits, whatever its format',
    schema: {type: 'integer', format: 'int32'},
    good: [1, 2 ** 31, 2n ** 63n - 1n],
    bad: [[2n ** 63n, 'spec: Invalid value: "number": spec in body must be of type integer: "number"']],
  },
  {
    title: 'an int-or-string is nothing else',
    schema: {'x-kubernetes-int-or-string': true},
    good: [1, 'a'],
    bad: [[true, 'spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"']],
  },
  {
    title: 'an object inside an object says what it is',
    schema: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true},
    good: [{apiVersion: 'v1', kind: 'K'}],
    bad: [
      [{apiVersion: '', kind: 'K'}, 'spec.apiVersion: Invalid value: "": must not be empty'],
      [{apiVersion: 'v1'}, 'spec.kind: Required value: must not be empty'],
    ],
  },
];

for (const {title, schema, good, bad} of cases) {
  test(title, (t) => {
    for (const value of good)
      t.deepEqual(
        faultsOfSpec(schema, value),
        [],
        JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
      );
    for (const [value, ...faults] of bad) t.deepEqual(faultsOfSpec(schema, value), faults);
  });
}

test('all faults are reported at once', (t) => {
  const schema = specSchema({
    type: 'object',
    required: ['a'],
    properties: {b: {type: 'integer', minimum: 1}, c: {type: 'string', enum: ['x']}},
  });
  t.deepEqual(texts(schema.validate({spec: {b: 0, c: 'y'}})), [
    'spec.a: Required value',
    'spec.b: Invalid value: 0: spec.b in body should be greater than or equal to 1',
    'spec.c: Unsupported value: "y": supported values: "x"',
  ]);
});

test('a hostile pattern ends in time', (t) => {
  const started = performance.now();
  t.is(faultsOfSpec({type: 'string', pattern: '^(a+)+$'}, `${'a'.repeat(200_000)}b`).length, 1);
  t.is(faultsOfSpec({type: 'string', pattern: '^((a?){300}){20}b$'}, 'a'.repeat(500_000)).length, 1);
  t.true(performance.now() - started < 5_000);
});

test('an immutable field cannot be changed, added or removed', (t) => {
  const schema = specSchema({
    type: 'object',
    properties: {a: {type: 'object', properties: {fixed: {type: 'string', 'x-orch-immutable': true}, free: {type: 'string'}}}},
  });
  const at = (fixed?: string, free = 'x') => ({spec: {a: {...(fixed === undefined ? {} : {fixed}), free}}});
  t.deepEqual(schema.validateUpdate(at('1', 'y'), at('1')), []);
  t.deepEqual(texts(schema.validateUpdate(at('2'), at('1'))), ['spec.a.fixed: Invalid value: "2": field is immutable']);
  t.is(schema.validateUpdate(at(), at('1')).length, 1);
  t.is(schema.validateUpdate(at('1'), at()).length, 1);
});
