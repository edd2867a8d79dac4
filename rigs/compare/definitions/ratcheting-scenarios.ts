import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {
  applyType,
  changeVersions,
  definition,
  jsonPatchType,
  setUp,
  specVersion,
  thing,
  things,
  unchanged,
  type DefinitionRequest,
  type Scenario,
} from './scenario.js';

/** One place whose schema becomes stricter while it has a value that the new one refuses. */
interface Case {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly stored: JsonValue;
  /** Values that an update has in place of it; the same one is always tried. */
  readonly changes: readonly JsonValue[];
}

const text = {type: 'string'};
const item = {type: 'object', properties: {k: text, v: text, w: text}, required: ['k']};
const strictItem = {type: 'object', properties: {k: text, v: {type: 'string', maxLength: 1}, w: text}, required: ['k']};
const listOf = (type: string | undefined, items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  items,
  ...(type && {'x-kubernetes-list-type': type}),
  ...(type === 'map' && {'x-kubernetes-list-map-keys': ['k']}),
  ...more,
});
const free = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
const members = (a: JsonObject, b: JsonObject, more: JsonObject = {}): JsonObject => ({type: 'object', properties: {a, b}, ...more});
const rule = (text: string, more: JsonObject = {}): JsonObject => ({
  'x-kubernetes-validations': [{rule: text, message: `no: ${text}`, ...more}],
});
const itemsWrong = [
  {k: 'x', v: 'long'},
  {k: 'y', v: 'a'},
];
const itemChanges: readonly JsonValue[] = [
  [
    {k: 'x', v: 'long', w: 'new'},
    {k: 'y', v: 'a'},
  ],
  [
    {k: 'y', v: 'a'},
    {k: 'x', v: 'long'},
  ],
  [
    {k: 'x', v: 'long'},
    {k: 'y', v: 'b'},
  ],
  [
    {k: 'x', v: 'longer'},
    {k: 'y', v: 'a'},
  ],
  [{k: 'x', v: 'long'}],
  [
    {k: 'x', v: 'long'},
    {k: 'y', v: 'a'},
    {k: 'z', v: 'bad'},
  ],
  [
    {k: 'x', v: 'long'},
    {k: 'x', v: 'a'},
  ],
];

const cases: readonly Case[] = [
  {before: text, after: {type: 'string', maxLength: 2}, stored: 'abc', changes: ['abcd', 'ab']},
  {before: text, after: {type: 'string', minLength: 5}, stored: 'abc', changes: ['abcd']},
  {before: text, after: {type: 'string', pattern: '^z'}, stored: 'abc', changes: ['abcd']},
  {before: text, after: {type: 'string', enum: ['z']}, stored: 'abc', changes: ['abcd', 'z']},
  {before: text, after: {type: 'string', format: 'ipv4'}, stored: 'abc', changes: ['abcd']},
  {before: text, after: {type: 'string', not: {enum: ['abc']}}, stored: 'abc', changes: ['abcd']},
  {before: text, after: {type: 'string', anyOf: [{maxLength: 1}, {pattern: '^z'}]}, stored: 'abc', changes: ['abcd']},
  {before: text, after: {type: 'string', oneOf: [{maxLength: 1}, {pattern: '^z'}]}, stored: 'abc', changes: ['abcd']},
  {before: text, after: {type: 'string', allOf: [{maxLength: 1}, {pattern: '^z'}]}, stored: 'abc', changes: ['abcd']},
  {before: text, after: {type: 'integer'}, stored: 'abc', changes: ['abcd', 5]},
  {before: {type: 'string', nullable: true}, after: text, stored: null, changes: ['a']},
  {before: {type: 'integer'}, after: {type: 'integer', maximum: 2, multipleOf: 4}, stored: 7, changes: [9]},
  {before: {type: 'number'}, after: {type: 'number', minimum: 9, exclusiveMinimum: true}, stored: 9, changes: [8.5]},
  {
    before: {type: 'object', additionalProperties: text},
    after: {type: 'object', additionalProperties: text, maxProperties: 1},
    stored: {a: 'x', b: 'y'},
    changes: [
      {a: 'x', b: 'z'},
      {a: 'x', b: 'y', c: 'z'},
    ],
  },
  {
    before: {type: 'object', additionalProperties: text},
    after: {type: 'object', additionalProperties: {type: 'string', maxLength: 1}},
    stored: {a: 'long', b: 'y'},
    changes: [{a: 'long', b: 'z'}, {a: 'long', b: 'bad'}, {a: 'longer'}, {c: 'long'}],
  },
  {before: members(text, text), after: members(text, text, {required: ['b']}), stored: {a: 'x'}, changes: [{a: 'y'}, {b: 'y'}, {}]},
  {
    before: members(text, text),
    after: members({type: 'string', maxLength: 1}, text),
    stored: {a: 'long', b: 'y'},
    changes: [{a: 'long', b: 'z'}, {a: 'longer', b: 'y'}, {b: 'y'}],
  },
  {before: members(text, text), after: members(text, text, {minProperties: 2}), stored: {a: 'long'}, changes: [{a: 'z'}]},
  {
    before: members(text, text),
    after: members(text, text, {anyOf: [{required: ['b']}, {properties: {a: {maxLength: 1}}}]}),
    stored: {a: 'long'},
    changes: [{a: 'lang'}, {a: 'long', b: 'x'}],
  },
  {before: members(text, text), after: members(text, text, {enum: [{a: 'y'}]}), stored: {a: 'x'}, changes: [{a: 'z'}]},
  {
    before: listOf(undefined, text),
    after: listOf(undefined, {type: 'string', maxLength: 1}),
    stored: ['long', 'a'],
    changes: [['long', 'b'], ['a', 'long'], ['long', 'a', 'b'], ['long']],
  },
  {
    before: listOf(undefined, text),
    after: listOf(undefined, text, {maxItems: 1}),
    stored: ['a', 'b'],
    changes: [
      ['a', 'c'],
      ['b', 'a'],
    ],
  },
  {before: listOf(undefined, text), after: listOf(undefined, text, {minItems: 3}), stored: ['a', 'b'], changes: [['a', 'c']]},
  {before: listOf('atomic', item), after: listOf('atomic', strictItem), stored: itemsWrong, changes: itemChanges},
  {
    before: listOf('set', text),
    after: listOf('set', {type: 'string', maxLength: 1}),
    stored: ['long', 'a'],
    changes: [
      ['long', 'b'],
      ['a', 'long'],
      ['long', 'bad'],
      ['long', 'a', 'a'],
    ],
  },
  {
    before: listOf(undefined, text),
    after: listOf('set', text),
    stored: ['a', 'a'],
    changes: [
      ['a', 'a', 'b'],
      ['b', 'b'],
    ],
  },
  {before: listOf('map', item), after: listOf('map', strictItem), stored: itemsWrong, changes: itemChanges},
  {
    before: listOf(undefined, item),
    after: listOf('map', item),
    stored: [{k: 'x'}, {k: 'x', v: 'b'}],
    changes: [
      [{k: 'x'}, {k: 'x', v: 'c'}],
      [{k: 'x'}, {k: 'x', v: 'b'}, {k: 'y'}],
    ],
  },
  {before: listOf('map', item), after: listOf('map', {...strictItem, required: ['k', 'w']}), stored: itemsWrong, changes: itemChanges},
  {before: listOf('map', item, {maxItems: 5}), after: listOf('map', item, {maxItems: 1}), stored: itemsWrong, changes: itemChanges},
  {before: text, after: {type: 'string', ...rule('self == "z"')}, stored: 'abc', changes: ['abcd', 'z']},
  {before: text, after: {type: 'string', ...rule('self == oldSelf')}, stored: 'abc', changes: ['abcd']},
  {
    before: text,
    after: {type: 'string', ...rule('self == oldSelf || self == "z"'), maxLength: 2},
    stored: 'abc',
    changes: ['abcd', 'zz', 'z'],
  },
  {
    before: text,
    after: {type: 'string', ...rule('oldSelf.hasValue() && self == "z"', {optionalOldSelf: true})},
    stored: 'abc',
    changes: ['abcd'],
  },
  {
    before: members(text, text),
    after: members(text, text, rule('self.a == "z"')),
    stored: {a: 'x', b: 'y'},
    changes: [
      {a: 'x', b: 'n'},
      {a: 'w', b: 'y'},
    ],
  },
  {
    before: members(text, text),
    after: members({type: 'string', ...rule('self == "z"')}, text),
    stored: {a: 'x', b: 'y'},
    changes: [
      {a: 'x', b: 'n'},
      {a: 'w', b: 'y'},
    ],
  },
  {
    before: members(text, text),
    after: members({type: 'string', ...rule('self == "z"'), maxLength: 1}, {type: 'string', maxLength: 1}),
    stored: {a: 'xx', b: 'yy'},
    changes: [
      {a: 'xx', b: 'n'},
      {a: 'w', b: 'yy'},
      {a: 'ww', b: 'yy'},
    ],
  },
  {before: listOf('map', item), after: listOf('map', {...item, ...rule('self.v == "z"')}), stored: itemsWrong, changes: itemChanges},
  {
    before: listOf('map', item),
    after: listOf('map', {...item, properties: {...item.properties, v: {type: 'string', ...rule('self == "z"')}}}),
    stored: itemsWrong,
    changes: itemChanges,
  },
  {before: listOf('map', item), after: listOf('map', item, rule('self.size() == 1')), stored: itemsWrong, changes: itemChanges},
  {
    before: listOf(undefined, text),
    after: listOf(undefined, {type: 'string', ...rule('self == "z"')}),
    stored: ['a', 'b'],
    changes: [
      ['a', 'c'],
      ['a', 'b', 'z'],
      ['b', 'a'],
    ],
  },
  {
    before: listOf('set', text),
    after: listOf('set', {type: 'string', ...rule('self == "z"')}),
    stored: ['a', 'b'],
    changes: [
      ['b', 'a'],
      ['a', 'b', 'z'],
    ],
  },
  {
    before: {type: 'object', additionalProperties: text},
    after: {type: 'object', additionalProperties: {type: 'string', ...rule('self == "z"')}},
    stored: {a: 'x'},
    changes: [
      {a: 'x', b: 'z'},
      {a: 'x', b: 'y'},
    ],
  },
  {
    before: free,
    after: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, maxProperties: 1},
    stored: {a: {b: 1}, c: [1]},
    changes: [{a: {b: 2}, c: [1]}],
  },
  {
    before: {'x-kubernetes-int-or-string': true},
    after: {'x-kubernetes-int-or-string': true, maxLength: 1, maximum: 1},
    stored: 'abc',
    changes: [5, 'abd'],
  },
  {
    before: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true},
    after: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: {metadata: {type: 'object', properties: {name: {type: 'string', maxLength: 1}}}},
    },
    stored: {apiVersion: 'v1', kind: 'A', metadata: {name: 'long'}},
    changes: [
      {apiVersion: 'v1', kind: 'B', metadata: {name: 'long'}},
      {apiVersion: 'v1', kind: 'A', metadata: {name: 'longer'}},
    ],
  },
];

function scenarioOf({before, after, stored, changes}: Case, at: number): Scenario {
  const group = `ratchet${at}.example.com`;
  const of = (schema: JsonObject) => [
    specVersion({p: schema, free: {type: 'integer'}}, {subresources: {status: {}}, schema: schemaOf(schema)}),
  ];
  const about = (text: string) => `ratcheting ${text} of ${JSON.stringify(after)}`.slice(0, 240);
  const name = 'one';
  const object = (value: JsonValue, more: JsonObject = {}) => thing(group, name, {spec: {p: value, ...more}});
  const merge = (body: JsonObject, text: string, path = things(group, name, 'dryRun=All')): DefinitionRequest => ({
    method: 'PATCH',
    path,
    body,
    about: about(text),
  });
  return {
    name: `ratcheting ${at}`,
    requests: [
      ...setUp(group, definition(group, of(before))),
      {method: 'POST', path: things(group), body: object(stored), about: about('object')},
      {...merge({status: {p: stored}}, 'status', things(group, `${name}/status`)), about: about('stored status')},
      ...changeVersions(group, at + 1, of(after)),
      merge({spec: {free: 1}}, 'another field'),
      merge({metadata: {labels: {a: 'b'}}}, 'a label'),
      merge({marker: at + 1}, 'a field at the root'),
      {
        method: 'PATCH',
        path: things(group, name, 'dryRun=All'),
        type: jsonPatchType,
        body: [{op: 'add', path: '/spec/free', value: 3}],
        about: about('json patch'),
      },
      ...changes.map((value) => merge({spec: {p: value}}, 'a changed value')),
      {
        method: 'PATCH',
        path: things(group, name, 'dryRun=All&fieldManager=m&force=true'),
        type: applyType,
        body: object(stored, {free: 2}),
        about: about('apply'),
      },
      ...changes.slice(0, 2).map((value): DefinitionRequest => ({
        method: 'PATCH',
        path: things(group, name, 'dryRun=All&fieldManager=m&force=true'),
        type: applyType,
        body: object(value),
        about: about('apply changed'),
      })),
      merge({status: {free: 1}}, 'another field of the status', things(group, `${name}/status`, 'dryRun=All')),
      ...changes.slice(0, 2).map((value) => merge({status: {p: value}}, 'a changed status', things(group, `${name}/status`, 'dryRun=All'))),
      merge({spec: {free: 4}}, 'another field, stored', things(group, name)),
      {method: 'POST', path: things(group, '', 'dryRun=All'), body: thing(group, 'two', {spec: {p: stored}}), about: about('new object')},
    ],
  };
}

function schemaOf(schema: JsonObject): JsonObject {
  const part = {type: 'object', properties: {p: schema, free: {type: 'integer'}}};
  return {openAPIV3Schema: {type: 'object', properties: {marker: unchanged, spec: part, status: part}}};
}

export function ratchetingScenarios(): Scenario[] {
  return cases.map(scenarioOf);
}
