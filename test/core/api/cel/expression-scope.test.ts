import test from 'ava';
import {VariableScope} from '../../../../core/api/cel/expression-scope.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {ExpressionError, type ExpressionErrorCode, type JsonValue} from '../../../../sdk/index.js';

const catalog = new SchemaCatalog();

function scopeOf(variables: Record<string, JsonSchema | undefined>): VariableScope {
  return VariableScope.of(new Map(Object.entries(variables).map(([name, schema]) => [name, schema && catalog.inlineNode(schema)])));
}

const scope = scopeOf({
  object: undefined,
  oldObject: undefined,
  request: {type: 'object', properties: {name: {type: 'string'}, dryRun: {type: 'boolean'}}},
});
const plenty = () => ({left: 10_000_000});

function evaluate(text: string, values: Record<string, JsonValue | undefined> = {}): unknown {
  return scope.compile(text, 'any').evaluate(scope.bind({object: null, oldObject: null, request: {}, ...values}), plenty());
}

function codeOf(action: () => unknown): ExpressionErrorCode | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (!ExpressionError.is(error)) throw error;
    return error.code;
  }
}

test('expressions see values of any form, and null for one that is not given', (t) => {
  const object = {spec: {replicas: 3, names: ['a', 'b'], share: 0.5}, metadata: {labels: {'a/b': 'c'}}};
  for (const text of [
    'object.spec.replicas == 3',
    'object.spec.replicas > 2 && object.spec.share < 1.0',
    `object.metadata.labels['a/b'] == 'c'`,
    'object.spec.names.all(n, n.size() == 1)',
    'has(object.spec.replicas) && !has(object.spec.other)',
    'oldObject == null',
  ])
    t.is(evaluate(text, {object, oldObject: undefined}), true, text);
});

test('members of a variable with a schema are checked when the expression is compiled', (t) => {
  t.is(evaluate(`request.name == 'a' && request.dryRun`, {request: {name: 'a', dryRun: true}}), true);
  t.is(
    codeOf(() => scope.compile('request.nam == "a"', 'bool')),
    'Invalid',
  );
  t.is(
    codeOf(() => scope.compile('params.x', 'any')),
    'Invalid',
  );
  const error = t.throws(() => scope.compile('request.name', 'bool'), {instanceOf: ExpressionError});
  t.is(error.message, 'cel expression must evaluate to a bool');
});

test('a failing evaluation says why, also when the result is of another type than promised', (t) => {
  const values = scope.bind({object: {spec: {a: 1}}});
  const error = t.throws(() => scope.compile('object.spec.b == 1', 'bool').evaluate(values, plenty()), {instanceOf: ExpressionError});
  t.is(error.code, 'Failed');
  t.regex(error.message, /no such key: b/i);
  t.is(
    codeOf(() => scope.compile('object.spec.a', 'bool').evaluate(values, plenty())),
    'Failed',
  );
});

test('a budget is shared by evaluations and ends them; one alone may not use all of it', (t) => {
  const list = Array.from({length: 3000}, (_, index) => index);
  const heavy = scope.compile('object.all(a, object.all(b, a >= 0))', 'bool');
  const values = scope.bind({object: list});
  const budget = plenty();
  t.is(
    codeOf(() => heavy.evaluate(values, budget)),
    'CostExceeded',
  );
  t.is(budget.left, 9_000_000);
  const small = {left: 2000};
  t.is(
    codeOf(() => scope.compile('object.all(a, a >= 0)', 'bool').evaluate(values, small)),
    'CostExceeded',
  );
  t.is(small.left, 0);
  t.is(
    codeOf(() => scope.compile('true', 'bool').evaluate(values, small)),
    'CostExceeded',
  );
});

test('values are made once for all expressions, and others can stand in for some of them', (t) => {
  let looked = 0;
  const object = {
    get a() {
      looked += 1;
      return 1;
    },
  };
  const values = scope.bind({object, request: {name: 'x'}});
  t.is(looked, 0);
  const other = values.with({request: {name: 'y'}});
  for (const [bound, name] of [
    [values, 'x'],
    [other, 'y'],
    [values.with({request: {name: 'z'}}), 'z'],
  ] as const)
    t.is(scope.compile(`object.a == 1 && request.name == '${name}'`, 'bool').evaluate(bound, plenty()), true);
  t.is(looked, 1);
});

test('an expression tells its type, and what it costs at most by the sizes that schemas allow', (t) => {
  const named = (maxProperties: number): JsonSchema => ({
    type: 'object',
    properties: {
      names: {type: 'object', maxProperties, additionalProperties: {'x-orch-expression-type': 'dyn', maxLength: 64}},
      size: {type: 'string', 'x-orch-expression-type': 'kubernetes.Quantity'},
    },
  });
  const compile = (text: string, maxProperties = 10) => scopeOf({item: named(maxProperties)}).compile(text, 'any');
  t.is(compile('item.names["a"]').resultType, 'dyn');
  t.is(compile('item.size.isGreaterThan(quantity("1Gi"))').resultType, 'bool');
  t.throws(() => compile('item.size == "1Gi"'));
  const cost = (maxProperties: number) => compile('item.names.all(name, item.names[name] == "x")', maxProperties).maximumCost;
  t.true(cost(100) > 9 * cost(10) && cost(100) < 11 * cost(10), `${cost(10)} and ${cost(100)}`);
});

test('attributes of devices are of the type that they name, and a domain without any is empty', (t) => {
  const attributes = {'x-orch-expression-type': 'kubernetes.DeviceAttribute', maxLength: 64} as const;
  const domains: JsonSchema = {type: 'object', additionalProperties: attributes, 'x-orch-expression-default': {}};
  const devices = scopeOf({device: {type: 'object', properties: {attributes: {type: 'object', additionalProperties: domains}}}});
  const own = {model: {string: 'a1'}, version: {version: '1.10.0'}, cores: {int: 8}, fast: {bool: true}};
  const values = devices.bind({device: {attributes: {'example.com': own}}});
  const answer = (text: string) => devices.compile(text, 'any').evaluate(values, plenty());
  const attribute = 'device.attributes["example.com"]';
  t.true(answer(`${attribute}.model == "a1" && ${attribute}.cores > 7 && ${attribute}.fast`));
  t.true(answer(`${attribute}.version.isGreaterThan(semver("1.9.0"))`));
  t.false(answer('"model" in device.attributes["other.example.com"] || "other.example.com" in device.attributes'));
  t.throws(() => answer('device.attributes["other.example.com"].model == "a1"'), {message: /no such key: model/});
});
