import type {JsonSchema} from '../../../core/api/schema/json-schema.js';
import type {ValidationRule} from '../../../core/api/cel/validation-rule.js';
import type {CaseValue, ExpressionCase} from '../../../test/expressions/expression-case.js';
import {everything, full, sparse} from './schemas.js';

const changes: readonly CaseValue[] = [
  {value: full},
  {value: full, old: full},
  {value: {...full, i: 8, s: 'other'}, old: full},
  {value: sparse, old: full},
];

/** What rules say besides their expression, and rules of changes. */
export function ruleCases(): ExpressionCase[] {
  const cases: ExpressionCase[] = [];
  const add = (kind: string, rule: ValidationRule, values: readonly CaseValue[] = [{value: full}], schema: JsonSchema = everything) =>
    cases.push({kind, schema, rule, values});
  for (const message of ['no', ' spaced ', '', 'two\nlines', 'a'.repeat(3000)]) add('message', {rule: 'false', message});
  for (const messageExpression of [
    ...[
      "'made'",
      "'a' + self.s",
      'self.s',
      "'%s is %d'.format([self.s, self.i])",
      "''",
      "'  '",
      "'a\\nb'",
      'self.nope',
      '1',
      'self.',
      "'a' + 1",
      'string(1 / 0)',
      'true ? "a" : "b"',
      "['a', 'b'].join(', ')",
      'self.i',
      'null',
      'oldSelf.s',
      "self.ls.map(x, x).join('; ')",
      'string(self.x)',
      'self.x',
      "dyn('a')",
      "self.u.replace('l', 'L')",
      "self.lu.map(x, self.lu.map(y, x + y).join('')).join('')",
      "''.matches('(')",
    ],
  ]) {
    add('messageExpression', {rule: 'false', messageExpression});
    add('messageExpression', {rule: 'false', message: 'fixed', messageExpression}, [{value: full}, {value: sparse}]);
  }
  for (const reason of ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate', 'Other', ''])
    add('reason', {rule: 'self.i != 7', reason, message: 'seven'});
  for (const fieldPath of [
    '.s',
    '.o.a',
    ".o['x-y']",
    '.o["a"]',
    '.nope',
    '.o.nope',
    's',
    '.',
    '..s',
    '.ls',
    '.ls[0]',
    '.m.a',
    ".m['b.c']",
    '.mo.k.v',
    ".mo['k'].v",
    '.lo.k',
    "['s']",
    '.s ',
    '.w.metadata.name',
    '',
    ".o['x.y']",
    '.o.x-y',
    '.s.t',
    "['o']['a']",
    '.o[a]',
    ".o['a",
    '.x',
    '.p.any',
    '.1',
    ".o['x\\'y']",
  ])
    add('fieldPath', {rule: 'self.i != 7', fieldPath, reason: 'FieldValueForbidden'});
  for (const rule of [
    ...[
      'self == oldSelf',
      'self.i >= oldSelf.i',
      "self.s == oldSelf.s || self.s == 'other'",
      'oldSelf.i == 7',
      'self.ls.all(x, x in oldSelf.ls)',
      'has(oldSelf.g)',
      'oldSelf.hasValue()',
      'oldSelf.i.hasValue()',
      '!has(oldSelf.s) || self.s == oldSelf.s',
      'true || oldSelf.b',
      'self.oldSelf',
      'self.ls.all(oldSelf, oldSelf == "a")',
      'oldSelf.all(x, true)',
      '[1].all(x, oldSelf.i == x)',
    ],
  ]) {
    add('oldSelf', {rule}, changes);
    add('oldSelf', {rule, optionalOldSelf: true}, changes);
    add('oldSelf', {rule, optionalOldSelf: false}, changes);
  }
  for (const rule of [
    'oldSelf.hasValue() ? oldSelf.value().i <= self.i : self.i == 7',
    '!oldSelf.hasValue()',
    'oldSelf.orValue(self) == self',
    'oldSelf.?i.orValue(0) <= self.i',
    'oldSelf == optional.none()',
    'oldSelf.optMap(o, o.i == self.i).orValue(true)',
    'self.i == 7',
    'oldSelf.i.orValue(7) == 7',
    'oldSelf.i == optional.of(7)',
    'oldSelf.value().i == 7',
  ])
    add('oldSelf', {rule, optionalOldSelf: true}, changes);
  // Places whose values cannot be found again.
  const inside = {
    type: 'object',
    properties: {k: {type: 'string', maxLength: 9}, v: {type: 'integer', 'x-kubernetes-validations': [{rule: 'self == oldSelf'}]}},
    required: ['k'],
  } as const;
  const listed = [{k: 'a', v: 1}];
  for (const kept of [{}, {'x-kubernetes-list-type': 'atomic'}, {'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k']}])
    add(
      'oldSelf',
      {rule: 'true'},
      [
        {value: listed, old: listed},
        {value: [{k: 'a', v: 2}], old: listed},
        {value: [{k: 'b', v: 2}], old: listed},
      ],
      {type: 'array', maxItems: 5, items: inside, ...kept} as JsonSchema,
    );
  add('oldSelf', {rule: 'true'}, [{value: {a: {k: 'a', v: 2}}, old: {a: {k: 'a', v: 1}}}], {
    type: 'object',
    maxProperties: 4,
    additionalProperties: inside,
  } as JsonSchema);
  // Values of other types, and where they are shown.
  for (const [schema, value] of [
    [{type: 'string', maxLength: 20}, 'abc'],
    [{type: 'integer'}, 3],
    [{type: 'number'}, 2.5],
    [{type: 'boolean'}, true],
    [{type: 'array', maxItems: 3, items: {type: 'integer'}}, [1]],
    [{type: 'object', properties: {a: {type: 'integer'}}}, {a: 1}],
    [{type: 'object', maxProperties: 3, additionalProperties: {type: 'integer'}}, {a: 1}],
    [{'x-kubernetes-int-or-string': true}, 'x'],
    [{'x-kubernetes-int-or-string': true}, 4],
    [
      {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true},
      {apiVersion: 'v1', kind: 'A', metadata: {name: 'a'}},
    ],
    [{type: 'object', 'x-kubernetes-preserve-unknown-fields': true}, {a: 1}],
    [{'x-kubernetes-preserve-unknown-fields': true}, {a: 1}],
    [{type: 'string', format: 'date-time'}, '2024-01-01T00:00:00Z'],
    [{type: 'string', format: 'byte', maxLength: 20}, 'aGk='],
    [{type: 'string', nullable: true, maxLength: 4}, null],
    [{type: 'string', enum: ['a', 'b']}, 'a'],
  ] as const) {
    for (const reason of [undefined, 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'])
      add('shown', {rule: 'false', message: 'nope', ...(reason !== undefined && {reason})}, [{value}], schema as JsonSchema);
    add('shown', {rule: '1 / 0 == 1'}, [{value}], schema as JsonSchema);
    add('shown', {rule: 'self == self'}, [{value}], schema as JsonSchema);
    add('shown', {rule: 'dyn(self) == 1'}, [{value}], schema as JsonSchema);
    add('shown', {rule: 'self.nope'}, [{value}], schema as JsonSchema);
  }
  // Too dear when they run.
  const many = Array.from({length: 400}, (_, at) => `item-${at}`);
  for (const rule of [
    'self.all(x, self.all(y, x == y || x != y))',
    "self.all(x, self.all(y, self.all(z, x != '')))",
    "self.all(x, x.matches('^item-[0-9]+$'))",
    'self.map(x, self.map(y, x + y)).size() > 1',
    'self.exists(x, self.filter(y, x == y).size() == 2)',
  ])
    add('dear', {rule}, [{value: many}, {value: many.slice(0, 20)}], {
      type: 'array',
      maxItems: 400,
      items: {type: 'string', maxLength: 10},
    });
  return cases;
}
