import {testOnEachStore} from '../../../helpers/each-store.js';
import {
  definition,
  definitionsPath,
  establish,
  faultsOf,
  freshGroup,
  readDefinition,
  version,
  withSpec,
  type Json,
} from './definition-fixture.js';

const storeTest = testOnEachStore({release: '1.30'});
const text = {type: 'string'};
const integer = {type: 'integer'};
const rules = (...entries: Json[]) => ({'x-kubernetes-validations': entries});

const widget = (group: string, spec: unknown, name = 'w') => ({apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}, spec});

interface Case {
  readonly title: string;
  /** The schema of `spec`. */
  readonly schema: Json;
  readonly good?: readonly unknown[];
  readonly bad?: readonly (readonly [spec: unknown, ...faults: string[]])[];
  /** Changes, from a good object. */
  readonly changes?: readonly (readonly [from: unknown, to: unknown, ...faults: string[]])[];
}

const keyed = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
  items: {
    type: 'object',
    required: ['k'],
    properties: {k: text, v: integer},
    ...rules({rule: 'self.v >= oldSelf.v', message: 'v never shrinks'}),
  },
};

const cases: readonly Case[] = [
  {
    title:
      'an object for which a rule is false is refused; self is the value at the place of the rule [A-CRD-100] [A-CRD-101] [A-CRD-103] [A-CRD-105]',
    schema: {
      type: 'object',
      properties: {min: integer, max: {...integer, ...rules({rule: 'self < 100'})}},
      ...rules({rule: 'self.min <= self.max', message: 'min is at most max'}),
    },
    good: [{min: 1, max: 2}],
    bad: [
      [{min: 3, max: 2}, 'spec: Invalid value: "object": min is at most max'],
      [
        {min: 300, max: 200},
        'spec: Invalid value: "object": min is at most max',
        'spec.max: Invalid value: "integer": failed rule: self < 100',
      ],
      [{min: 3}, 'spec: Invalid value: "object": no such key: max evaluating rule: min is at most max'],
    ],
  },
  {
    title: 'rules hold for items, values of maps and nested members',
    schema: {
      type: 'object',
      properties: {
        list: {type: 'array', items: {...integer, ...rules({rule: 'self > 0'})}},
        map: {type: 'object', additionalProperties: {...text, ...rules({rule: 'self.startsWith("a")'})}},
      },
    },
    bad: [
      [
        {list: [1, 0], map: {'x.y': 'b'}},
        'spec.list[1]: Invalid value: "integer": failed rule: self > 0',
        'spec.map[x.y]: Invalid value: "string": failed rule: self.startsWith("a")',
      ],
    ],
  },
  {
    title: 'a rule about a change is left out where there is no value before',
    schema: {type: 'object', properties: {fixed: {...text, ...rules({rule: 'self == oldSelf', message: 'fixed is immutable'})}}},
    good: [{fixed: 'a'}],
    changes: [
      [{fixed: 'a'}, {fixed: 'a'}],
      [{}, {fixed: 'a'}],
      [{fixed: 'a'}, {fixed: 'b'}, 'spec.fixed: Invalid value: "string": fixed is immutable'],
    ],
  },
  {
    title: 'items of lists of type map and values of maps are compared with those of the same key',
    schema: {
      type: 'object',
      properties: {keyed, map: {type: 'object', additionalProperties: {...integer, ...rules({rule: 'self >= oldSelf'})}}},
    },
    changes: [
      [
        {
          keyed: [
            {k: 'a', v: 1},
            {k: 'b', v: 5},
          ],
        },
        {
          keyed: [
            {k: 'b', v: 5},
            {k: 'c', v: 0},
            {k: 'a', v: 0},
          ],
        },
        'spec.keyed[2]: Invalid value: "object": v never shrinks',
      ],
      [{map: {a: 2}}, {map: {a: 1, b: 0}}, 'spec.map[a]: Invalid value: "integer": failed rule: self >= oldSelf'],
    ],
  },
  {
    title: 'an optional old value lets a rule see creations',
    schema: {
      type: 'object',
      properties: {
        a: {
          ...integer,
          ...rules({rule: 'oldSelf.hasValue() ? self > oldSelf.value() : self == 1', optionalOldSelf: true, message: 'counts from 1'}),
        },
      },
    },
    good: [{a: 1}],
    bad: [[{a: 2}, 'spec.a: Invalid value: "integer": counts from 1']],
    changes: [
      [{a: 1}, {a: 2}],
      [{a: 1}, {a: 0}, 'spec.a: Invalid value: "integer": counts from 1'],
    ],
  },
  {
    title: 'reason, field path and message expression shape the refusal',
    schema: {
      type: 'object',
      properties: {a: integer, 'b.c': text},
      ...rules(
        {rule: 'self.a != 1', messageExpression: "'a is %d'.format([self.a])", message: 'unused'},
        {rule: 'self.a != 2', reason: 'FieldValueForbidden', message: 'not two', fieldPath: '.a'},
        {rule: 'self.a != 3', reason: 'FieldValueRequired', message: 'b.c is needed', fieldPath: "['b.c']"},
        {rule: 'self.a != 4', reason: 'FieldValueDuplicate', fieldPath: '.a'},
        {rule: 'self.a != 5', messageExpression: 'self.b__dot__c', message: 'the fixed text'},
      ),
    },
    bad: [
      [{a: 1}, 'spec: Invalid value: "object": a is 1'],
      [{a: 2}, 'spec.a: Forbidden: not two'],
      [{a: 3}, 'spec.b.c: Required value: b.c is needed'],
      [{a: 4}, 'spec.a: Duplicate value: "object"'],
      [{a: 5}, 'spec: Invalid value: "object": the fixed text'],
    ],
  },
  {
    title: 'rules are not looked at while an object lacks what they may count on',
    schema: {type: 'object', required: ['a'], properties: {a: integer}, ...rules({rule: 'self.a > 1'})},
    bad: [
      [
        {},
        'spec.a: Required value',
        '<nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    ],
  },
];

for (const {title, schema, good = [], bad = [], changes = []} of cases) {
  storeTest(title, async (t, {client, path}) => {
    const group = freshGroup();
    await establish(client, withSpec(group, schema));
    const url = path('widgets', `${group}/v1`);
    for (const spec of good) t.deepEqual(faultsOf(await client.post(`${url}?dryRun=All`, widget(group, spec))), [], JSON.stringify(spec));
    for (const [spec, ...faults] of bad)
      t.deepEqual(faultsOf(await client.post(`${url}?dryRun=All`, widget(group, spec))), faults, JSON.stringify(spec));
    for (const [index, [from, to, ...faults]] of changes.entries()) {
      const made = await client.post(url, widget(group, from, `w${index}`));
      t.is(made.status, 201, made.body.toString());
      const {metadata} = made.json<{metadata: Json}>();
      t.deepEqual(faultsOf(await client.put(`${url}/w${index}`, {...widget(group, to), metadata})), faults, JSON.stringify([from, to]));
    }
  });
}

storeTest('the root of an object shows its kind and names, and nothing else of its metadata', async (t, {client, path}) => {
  const group = freshGroup();
  const body = definition(group, [version(undefined, {subresources: {status: {}}})]);
  const root = (body['spec'] as {versions: {schema: {openAPIV3Schema: Json}}[]}).versions[0]!.schema.openAPIV3Schema;
  Object.assign(root, rules({rule: 'self.metadata.name.startsWith("w") && self.kind == "Widget"', message: 'names begin with w'}));
  await establish(client, body);
  const url = path('widgets', `${group}/v1`);
  t.is((await client.post(url, widget(group, {}))).status, 201);
  t.deepEqual(faultsOf(await client.post(url, widget(group, {}, 'x'))), ['<nil>: Invalid value: "object": names begin with w']);
  Object.assign(root, rules({rule: 'self.metadata.labels.size() > 0'}));
  const refused = await client.post(`${definitionsPath}?dryRun=All`, {...body, metadata: {name: `widgets.${group}`}});
  t.regex(faultsOf(refused)[0] ?? '', /compilation failed: ERROR: <input>:\d+:\d+: undefined field 'labels'\n/);
});

storeTest('expressions are checked against the schema when the definition is written', async (t, {client}) => {
  const cases: readonly (readonly [rule: Json, fault: RegExp])[] = [
    [{rule: 'self.a >'}, /\.rule: Invalid value: .*compilation failed: ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>'/],
    [{rule: 'self.nope == 1'}, /undefined field 'nope'/],
    [{rule: 'has(self.nope)'}, /undefined field 'nope'/],
    [{rule: 'self.a == "x"'}, /found no matching overload for '_==_' applied to '\(int, string\)'/],
    [{rule: 'self.a + 1'}, /cel expression must evaluate to a bool$/],
    [{rule: 'other == 1'}, /undeclared reference to 'other'/],
    [{rule: 'self.s.matches(1)'}, /found no matching overload for 'matches' applied to 'string\.\(int\)'/],
    [{rule: 'true', messageExpression: 'self.a'}, /\.messageExpression: .*messageExpression must evaluate to a string$/],
    [{rule: 'true', fieldPath: '.nope'}, /\.fieldPath: .*must be a valid path/],
    [{rule: 'true', fieldPath: 'a b'}, /\.fieldPath: .*must be a valid path/],
    [{rule: 'true', optionalOldSelf: true}, /\.optionalOldSelf: .*may not be set if oldSelf is not used in rule$/],
  ];
  for (const [rule, fault] of cases) {
    const response = await client.post(
      `${definitionsPath}?dryRun=All`,
      withSpec(freshGroup(), {type: 'object', properties: {a: integer, s: text}, ...rules(rule)}),
    );
    t.regex(faultsOf(response)[0] ?? 'none', fault, JSON.stringify(rule));
  }
  const list = {type: 'array', items: {...integer, ...rules({rule: 'self == oldSelf'})}};
  const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), {type: 'object', properties: {list}}));
  t.regex(
    faultsOf(response)[0] ?? 'none',
    /oldSelf cannot be used on the uncorrelatable portion of the schema within spec\.validation\.openAPIV3Schema\.properties\[spec\]\.properties\[list\]$/,
  );
});

storeTest('no rule can hold up the server', async (t, {client, path}) => {
  const group = freshGroup();
  // Just below what the estimate lets pass when the definition is written.
  const nested = 'self.all(a, self.all(b, a + b >= 0))';
  const numbers = {type: 'array', items: integer, maxItems: 1000};
  const cancelled =
    "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule";
  const growing = 'optional.of(self + self).optMap(a, a + a).optMap(b, b + b).optMap(c, c + c).value().size() > 0';
  const schema = {
    type: 'object',
    properties: {
      numbers: {...numbers, ...rules({rule: nested, message: 'all sums are positive'})},
      regex: {
        ...text,
        ...rules({rule: 'self.matches("^(a+)+$")', message: 'only a'}, {rule: '!self.matches("[ab]*a[ab]{800}[cd]")', message: 'no c'}),
      },
      text: {...text, ...rules({rule: growing, message: 'has a size'})},
    },
  };
  await establish(client, withSpec(group, schema));
  const url = `${path('widgets', `${group}/v1`)}?dryRun=All`;
  const timed = async (spec: unknown) => {
    const begun = performance.now();
    const response = await client.post(url, widget(group, spec));
    const took = performance.now() - begun;
    t.true(took < 3000, `${took} ms`);
    return faultsOf(response);
  };
  t.deepEqual(await timed({numbers: [1, 2, 3], regex: 'aaa', text: 'x'}), []);
  t.deepEqual(await timed({numbers: Array.from({length: 1000}, (_item, index) => index)}), [
    `spec.numbers: Invalid value: "array": ${cancelled}: all sums are positive`,
  ]);
  t.deepEqual(await timed({regex: `${'a'.repeat(30)}b`}), ['spec.regex: Invalid value: "string": only a']);
  const costly = await timed({regex: 'ab'.repeat(200_000)});
  t.true(
    costly.some((fault) => /cost exceeds/.test(fault)),
    costly.join('\n').slice(0, 500),
  );
  t.deepEqual(await timed({text: 'x'.repeat(1_500_000)}), [`spec.text: Invalid value: "string": ${cancelled}: has a size`]);
  const many = Array.from({length: 13}, (_item, index) => ({rule: `${nested} || self.size() == -${index}`, message: `rule ${index}`}));
  const other = freshGroup();
  await establish(client, withSpec(other, {type: 'object', properties: {numbers: {...numbers, ...rules(...many)}}}));
  const begun = performance.now();
  const faults = faultsOf(
    await client.post(
      `${path('widgets', `${other}/v1`)}?dryRun=All`,
      widget(other, {numbers: Array.from({length: 1000}, (_item, index) => index)}),
    ),
  );
  t.true(performance.now() - begun < 5000);
  t.is(
    faults.at(-1),
    'spec.numbers: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run',
  );
});

storeTest('without the feature rules are neither stored nor enforced [A-CRD-99]', async (t, {start}) => {
  const {client} = await start({release: '1.26', featureGates: {CustomResourceValidationExpressions: false}});
  const group = freshGroup();
  await establish(
    client,
    withSpec(group, {
      type: 'object',
      properties: {a: {...integer, ...rules({rule: 'self > 5'})}},
      ...rules({rule: 'no expression at all'}),
    }),
  );
  t.is((await client.post(`/apis/${group}/v1/namespaces/default/widgets`, widget(group, {a: 1}))).status, 201);
  t.false(JSON.stringify(await readDefinition(client, `widgets.${group}`)).includes('x-kubernetes-validations'));
});
