import test from 'ava';
import {FieldPath, type JsonObject} from '../../../../sdk/index.js';
import {fieldName} from '../../../../core/api/cel/field-names.js';
import {fieldPathSteps, followSteps} from '../../../../core/api/cel/field-path.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';

const catalog = new SchemaCatalog();
const meta = {apiVersion: 'example.com/v1', kind: 'Thing', metadata: {name: 'thing'}};

/** Faults of an object whose `spec` has the schema, as `PATH: BODY`. */
function faultsOf(spec: JsonSchema, value: unknown, old?: unknown): string[] {
  const schema = catalog.fromInline({type: 'object', properties: {spec}});
  const object = (entry: unknown) => ({...meta, spec: entry}) as unknown as JsonObject;
  return schema.validate(object(value), old === undefined ? undefined : object(old)).map(({field, body}) => `${field}: ${body}`);
}

function holds(rule: string, properties: Record<string, JsonSchema>, value: unknown): boolean {
  const faults = faultsOf({type: 'object', properties, 'x-kubernetes-validations': [{rule}]}, value);
  if (faults.length === 0) return true;
  if (faults[0] === `spec: Invalid value: "object": failed rule: ${rule}`) return false;
  throw new Error(faults.join('\n'));
}

test('values have the types that their schemas say', (t) => {
  t.true(
    holds(
      'self.i + 1 == 2 && self.d + 0.5 == 1.5 && self.b && self.s == "x"',
      {i: {type: 'integer'}, d: {type: 'number'}, b: {type: 'boolean'}, s: {type: 'string'}},
      {i: 1, d: 1, b: true, s: 'x'},
    ),
  );
  t.true(holds('self.big == 9007199254740993', {big: {type: 'integer'}}, {big: 9007199254740993n}));
  t.true(
    holds(
      'self.p == 80 && self.q == "50%" && type(self.p) == int',
      {p: {'x-kubernetes-int-or-string': true}, q: {'x-kubernetes-int-or-string': true}},
      {p: 80, q: '50%'},
    ),
  );
  t.true(
    holds(
      'self.y == b"hi" && self.t < timestamp("2025-01-01T00:00:00Z") && self.u > duration("1m")',
      {y: {type: 'string', format: 'byte'}, t: {type: 'string', format: 'date-time'}, u: {type: 'string', format: 'duration'}},
      {y: 'aGk=', t: '2024-01-01T00:00:00Z', u: '2m'},
    ),
  );
  t.true(
    holds(
      'self.m["a.b"] == 1 && "a.b" in self.m && self.m.all(k, self.m[k] > 0) && self.m.size() == 1',
      {m: {type: 'object', additionalProperties: {type: 'integer'}}},
      {m: {'a.b': 1}},
    ),
  );
  t.true(
    holds(
      'self.l[0].n == 1 && self.l.exists(x, x.n == 2) && self.l.size() == 2',
      {l: {type: 'array', items: {type: 'object', properties: {n: {type: 'integer'}}}}},
      {l: [{n: 1}, {n: 2}]},
    ),
  );
});

test('objects are equal when their members are, wherever they stand', (t) => {
  const item = {type: 'object', properties: {n: {type: 'integer'}, l: {type: 'array', items: {type: 'string'}}}};
  const properties = {a: item, b: item, list: {type: 'array', items: item}};
  t.true(
    holds('self.list[0] == self.list[1] && self.list[0] in self.list && self.list[0] != self.list[2]', properties, {
      list: [{n: 1, l: ['x']}, {l: ['x'], n: 1}, {n: 2}],
    }),
  );
  t.true(holds('self.list.exists_one(x, x == self.list[2])', properties, {list: [{n: 1}, {n: 1}, {n: 2}]}));
});

test('null and absent members are not there', (t) => {
  const properties = {a: {type: 'string', nullable: true}, b: {type: 'object', properties: {c: {type: 'string'}}}};
  t.true(holds('!has(self.a) && !has(self.b)', properties, {a: null}));
  t.true(holds('has(self.b) && !has(self.b.c)', properties, {b: {}}));
  t.throws(() => holds('self.b.c == ""', properties, {b: {}}), {message: /no such key: c evaluating rule/});
  t.throws(() => holds('has(self.b.c)', properties, {}), {message: /no such key: b evaluating rule/});
});

test('what a schema does not describe cannot be seen', (t) => {
  const properties = {
    any: {'x-kubernetes-preserve-unknown-fields': true},
    open: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  } as Record<string, JsonSchema>;
  t.throws(() => holds('has(self.any)', properties, {any: 1}), {message: /compilation failed: ERROR: <input>:1:4: undefined field 'any'/});
  t.throws(() => holds('has(self.open.x)', properties, {open: {x: 1}}), {message: /undefined field 'x'/});
});

test('members are reached by the names that Kubernetes gives them', (t) => {
  t.is(fieldName('plain_1'), 'plain_1');
  t.is(fieldName('a-b.c/d'), 'a__dash__b__dot__c__slash__d');
  t.is(fieldName('a__b'), 'a__underscores__b');
  t.is(fieldName('namespace'), '__namespace__');
  t.is(fieldName('1a'), undefined);
  t.is(fieldName('a b'), undefined);
  t.true(
    holds(
      'self.a__dash__b == 1 && self.__namespace__ == "n"',
      {'a-b': {type: 'integer'}, namespace: {type: 'string'}},
      {'a-b': 1, namespace: 'n'},
    ),
  );
});

test('names of members of every object are members like others', (t) => {
  const names = ['constructor', 'get', 'size', '__proto__', 'hasOwnProperty'];
  const properties = JSON.parse(`{${names.map((name) => `"${name}": {"type": "string"}`).join(',')}}`) as Record<string, JsonSchema>;
  const value = JSON.parse(`{${names.map((name) => `"${name}": "x"`).join(',')}}`) as unknown;
  t.true(
    holds(
      'self.constructor == "x" && self.get == "x" && self.size == "x" && self.hasOwnProperty == "x" && self.__underscores__proto__underscores__ == "x"',
      properties,
      value,
    ),
  );
  t.true(holds('!has(self.constructor) && !has(self.__underscores__proto__underscores__)', properties, {}));
});

test('field paths lead through members', (t) => {
  const leaf: JsonSchema = {type: 'string'};
  const inner: JsonSchema = {type: 'object', properties: {'b-c': leaf, 'b.c': {type: 'object', additionalProperties: leaf}}};
  const schema = catalog.inlineNode({type: 'object', properties: {a: inner}});
  const leading = (path: string) => {
    const steps = fieldPathSteps(schema, path);
    return steps && followSteps(FieldPath.root, steps).toString();
  };
  t.is(leading('.a.b-c'), 'a.b-c');
  t.is(leading(".a['b.c'].d"), 'a.b.c[d]');
  for (const path of ['', 'a', '.a[0]', '.a b', '..a', '.z', '.a.z']) t.true([undefined, ''].includes(leading(path)), path);
});

test('an embedded resource shows its type and names', (t) => {
  const embedded: JsonSchema = {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true};
  t.true(
    holds(
      'self.e.kind == "Pod" && self.e.metadata.name == "p" && !has(self.e.metadata.generateName)',
      {e: embedded},
      {e: {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'p', labels: {a: 'b'}}}},
    ),
  );
});

test('a schema without rules loads no expression library', async (t) => {
  const {hasRules} = await import('../../../../core/api/schema/has-rules.js');
  t.false(hasRules({type: 'object', properties: {a: {type: 'array', items: {type: 'object', additionalProperties: {type: 'string'}}}}}));
  t.true(
    hasRules({
      type: 'object',
      properties: {a: {type: 'array', items: {type: 'object', additionalProperties: {type: 'string', 'x-kubernetes-validations': []}}}},
    }),
  );
});
