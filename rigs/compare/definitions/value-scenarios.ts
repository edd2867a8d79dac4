import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {Random} from '../../../test/helpers/random.js';
import {definition, setUp, specVersion, thing, things, type DefinitionRequest, type Scenario} from './scenario.js';

const item = {type: 'object', properties: {k: {type: 'string'}, v: {type: 'string', maxLength: 2}}, required: ['k']};
const choice = [{required: ['a']}, {required: ['b'], properties: {b: {maxLength: 1}}}];

/** A schema for each keyword and type of value that a structural schema may have. */
export const valueSchemas: JsonObject = {
  text: {type: 'string'},
  'text-max': {type: 'string', maxLength: 3},
  'text-max-0': {type: 'string', maxLength: 0},
  'text-min': {type: 'string', minLength: 2},
  'text-range': {type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z]+$'},
  'text-pattern': {type: 'string', pattern: '^[a-c]*$'},
  'text-enum': {type: 'string', enum: ['a', 'b', '']},
  'text-enum-pattern': {type: 'string', enum: ['a', 'b'], pattern: '^b$', maxLength: 2},
  'text-null': {type: 'string', nullable: true, enum: ['a', null]},
  'text-nullable': {type: 'string', nullable: true, minLength: 2},
  'text-format': {type: 'string', format: 'ipv4', maxLength: 5},
  'text-unknown-format': {type: 'string', format: 'cube'},
  'text-int-format': {type: 'string', format: 'int32'},
  int: {type: 'integer'},
  'int-32': {type: 'integer', format: 'int32'},
  'int-64': {type: 'integer', format: 'int64'},
  'int-range': {type: 'integer', minimum: 0, maximum: 5},
  'int-exclusive': {type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 7, exclusiveMaximum: true},
  'int-multiple': {type: 'integer', multipleOf: 3},
  'int-enum': {type: 'integer', enum: [1, 2, 3]},
  'int-32-range': {type: 'integer', format: 'int32', minimum: 2},
  number: {type: 'number'},
  'number-double': {type: 'number', format: 'double'},
  'number-float': {type: 'number', format: 'float'},
  'number-range': {type: 'number', minimum: 0.5, maximum: 2.5},
  'number-multiple': {type: 'number', multipleOf: 0.5},
  'number-enum': {type: 'number', enum: [1, 1.5]},
  boolean: {type: 'boolean'},
  'boolean-enum': {type: 'boolean', enum: [false]},
  'int-or-string': {'x-kubernetes-int-or-string': true},
  'int-or-string-any': {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
  'int-or-string-pattern': {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}], pattern: '^[0-9]+%$'},
  'int-or-string-max': {'x-kubernetes-int-or-string': true, maxLength: 3, maximum: 5},
  any: {'x-kubernetes-preserve-unknown-fields': true},
  'any-enum': {'x-kubernetes-preserve-unknown-fields': true, enum: ['a', 1, {a: 1}, ['a'], null]},
  'any-nullable': {'x-kubernetes-preserve-unknown-fields': true, nullable: true},
  object: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  'object-pruned': {type: 'object', properties: {a: {type: 'integer'}}},
  'object-required': {type: 'object', required: ['a', 'z'], properties: {a: {type: 'string'}, z: {type: 'string'}}},
  'object-counts': {type: 'object', additionalProperties: {type: 'string'}, minProperties: 1, maxProperties: 2},
  'object-at-most-1': {type: 'object', additionalProperties: {type: 'string', maxLength: 0}, maxProperties: 1},
  'object-at-least-2': {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, minProperties: 2},
  'object-enum': {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, enum: [{a: 1}, {}]},
  'map-int': {type: 'object', additionalProperties: {type: 'integer', minimum: 2}},
  'map-nullable': {type: 'object', additionalProperties: {type: 'string', nullable: true}},
  'object-any-of': {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}, anyOf: choice},
  'object-one-of': {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}, oneOf: choice},
  'object-all-of': {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}, allOf: choice},
  'object-not': {type: 'object', properties: {a: {type: 'string'}}, not: {required: ['a']}},
  'text-any-of': {type: 'string', anyOf: [{maxLength: 1}, {pattern: '^ab'}]},
  'text-one-of': {type: 'string', oneOf: [{maxLength: 1}, {pattern: '^a'}, {enum: ['abcd']}]},
  'text-all-of': {type: 'string', allOf: [{maxLength: 3}, {pattern: '^a'}]},
  'text-not': {type: 'string', not: {enum: ['a', '']}},
  list: {type: 'array', items: {type: 'string'}},
  'list-int': {type: 'array', items: {type: 'integer', maximum: 2}},
  'list-counts': {type: 'array', items: {type: 'string', maxLength: 0}, minItems: 2, maxItems: 2},
  'list-at-most-1': {type: 'array', items: {'x-kubernetes-preserve-unknown-fields': true}, maxItems: 1},
  'list-at-most-0': {type: 'array', items: {'x-kubernetes-preserve-unknown-fields': true}, maxItems: 0},
  'list-enum': {type: 'array', items: {type: 'string'}, enum: [['a'], []]},
  'list-nullable': {type: 'array', nullable: true, items: {type: 'string', nullable: true}},
  set: {type: 'array', 'x-kubernetes-list-type': 'set', items: {type: 'string'}},
  'set-int': {type: 'array', 'x-kubernetes-list-type': 'set', items: {type: 'integer'}},
  'set-object': {type: 'array', 'x-kubernetes-list-type': 'set', items: {...item, 'x-kubernetes-map-type': 'atomic'}},
  map: {type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: item},
  atomic: {type: 'array', 'x-kubernetes-list-type': 'atomic', items: item},
  'default-text': {type: 'string', default: 'abc', maxLength: 3},
  'default-object': {type: 'object', default: {}, properties: {a: {type: 'string', default: 'x'}, b: {type: 'integer'}}},
  'default-null': {type: 'string', nullable: true, default: 'n'},
  embedded: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true},
  'embedded-pruned': {type: 'object', 'x-kubernetes-embedded-resource': true, properties: {spec: {type: 'object'}}},
};

export const values: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  1,
  -3,
  1.5,
  7,
  3_000_000_000,
  1e20,
  '',
  'a',
  'abcd',
  'äöü€',
  '😀😀',
  '5%',
  '1.2.3.4',
  [],
  ['a'],
  ['a', 'b', 'a', 'a'],
  [1, 2, 1],
  [null],
  [{}],
  [{k: 'x'}, {k: 'y', v: 'abc'}, {k: 'x'}],
  [{k: 1}, 'a'],
  {},
  {a: 1},
  {a: 'x', b: 'yy', c: 'z'},
  {a: null},
  {b: 'y'},
  {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'A b', labels: {'-': 'x'}}, spec: {}, other: 1},
  {apiVersion: 'a/b/c', kind: 'A_b', metadata: {generation: 1, unknown: 1}},
  {kind: '', metadata: 5},
];

const group = 'values.example.com';

function one(members: JsonObject, about: string, query = 'dryRun=All'): DefinitionRequest {
  return {method: 'POST', path: things(group, '', query), body: thing(group, 'new', {spec: members}), about};
}

/** Each value at each schema, then several wrong values in one object. */
function valueRequests(): DefinitionRequest[] {
  const requests: DefinitionRequest[] = [];
  for (const name of Object.keys(valueSchemas))
    for (const value of values) requests.push(one({[name]: value}, `value of ${name}`, `dryRun=All&fieldValidation=Ignore`));
  const random = new Random(7);
  const names = Object.keys(valueSchemas);
  for (let at = 0; at < 120; at++) {
    const members: JsonObject = {};
    for (let count = 2 + random.below(4); count > 0; count--) members[random.pick(names)] = random.pick(values);
    requests.push(one(members, 'several values'));
  }
  for (const query of ['dryRun=All&fieldValidation=Strict', 'dryRun=All&fieldValidation=Warn', 'dryRun=All'])
    for (const members of [
      {unknown: 1, text: 'a'},
      {'object-pruned': {b: 1, a: 2, c: {}}},
      {map: [{k: 'x', extra: 1}]},
      {embedded: {apiVersion: 'v1', kind: 'A', metadata: {name: 'a', extra: 1}, extra: 1}},
      {'map-int': {x: 5}, 'default-object': {z: 1}},
    ] as JsonObject[])
      requests.push(one(members, 'unknown fields', query));
  return requests;
}

/** Roots that are not what every object is. */
function rootRequests(): DefinitionRequest[] {
  const base = thing(group, 'new', {});
  const bodies: JsonObject[] = [
    {...base, spec: 5},
    {...base, spec: null},
    {...base, spec: []},
    {...base, metadata: {name: 'A'}},
    {...base, metadata: {name: 'a', namespace: 'other'}},
    {...base, metadata: {name: 'a', labels: {'a b': 'c'}, annotations: {'A/b/c': 'x'}}},
    {...base, metadata: {name: 'a', labels: {a: 1}}},
    {...base, metadata: {name: 'a', finalizers: ['x']}},
    {...base, metadata: {name: 'a', ownerReferences: [{apiVersion: 'v1', kind: 'Pod', name: '', uid: ''}]}},
    {...base, metadata: {name: 'a', unknown: 1}},
    {...base, metadata: {name: 'a', generateName: 5}},
    {...base, metadata: {}},
    {...base, metadata: 5},
    {...base, kind: 'Other'},
    {...base, apiVersion: `${group}/v2`},
    {...base, kind: ''},
    {...base, apiVersion: ''},
    {...base, marker: 'x', other: 1},
  ];
  return bodies.flatMap((body) =>
    ['dryRun=All', 'dryRun=All&fieldValidation=Strict'].map((query): DefinitionRequest => ({
      method: 'POST',
      path: things(group, '', query),
      body,
      about: 'root',
    })),
  );
}

export function valueScenarios(): Scenario[] {
  return [
    {
      name: 'values',
      requests: [...setUp(group, definition(group, [specVersion(valueSchemas)])), ...valueRequests(), ...rootRequests()],
    },
  ];
}
