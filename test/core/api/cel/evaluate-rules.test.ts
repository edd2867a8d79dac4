import test from 'ava';
import {evaluateRules} from '../../../../core/api/cel/evaluate-rules.js';
import {metered} from '../../../../core/api/cel/metered.js';
import {compileRule} from '../../../../core/api/cel/compiled-rule.js';
import {dynType} from '../../../../core/api/cel/types/cel-type.js';
import {ExpressionEnvironment} from '../../../../core/api/cel/expression-environment.js';
import {celFeaturesOf} from '../../../../core/api/cel/features.js';
import {RuleSet} from '../../../../core/api/cel/rule-set.js';
import type {ValidationRule} from '../../../../core/api/cel/validation-rule.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import type {JsonObject} from '../../../../sdk/index.js';

const catalog = new SchemaCatalog();
const texts: JsonSchema = {
  type: 'object',
  properties: {s: {type: 'string'}, n: {type: 'integer'}, list: {type: 'array', items: {type: 'integer'}}},
};

function bodiesOf(schema: JsonSchema, rules: readonly ValidationRule[], object: JsonObject): string[] {
  const root = catalog.fromInline({...schema, 'x-kubernetes-validations': rules}).node;
  const work = evaluateRules(new RuleSet(root), object, undefined);
  for (;;) {
    const {done, value} = work.next();
    if (done) return value.map(({field, body}) => `${field}: ${body}`);
  }
}

const exhausted =
  '<nil>: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run';

test('a rule that is left when the budget is used up exactly is a fault', (t) => {
  // Each loop spends the same; the length of the text makes up the rest.
  const loop = {rule: '[0,1,2,3,4,5,6,7].all(i, self.s != "x")'};
  const last = {rule: 'size(self.s) < 3', message: 'too long'};
  const rules = Array.from({length: 16}, () => loop);
  const tooLong = '<nil>: Invalid value: "object": too long';
  const faults = new Set<string>();
  // However much a step costs, the length at which nothing is left is found by halving.
  let [low, high] = [1, 4_000_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = bodiesOf(texts, [...rules, last], {s: 'y'.repeat(middle)});
    t.true(found.length >= 1, `${middle}`);
    if (found[0] === tooLong) low = middle;
    else high = middle;
  }
  for (let length = low - 40; length <= high + 40; length += 1) {
    const found = bodiesOf(texts, [...rules, last], {s: 'y'.repeat(length)});
    t.true(found.length >= 1, `${length}`);
    for (const fault of found) faults.add(fault);
  }
  t.true(faults.has(tooLong));
});

test('what is not evaluated because nothing is left is said once', (t) => {
  const costly = {rule: 'self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))'};
  const found = bodiesOf(
    texts,
    Array.from({length: 40}, () => costly),
    {list: Array.from({length: 200}, (_item, index) => index)},
  );
  t.is(found.filter((fault) => fault === exhausted).length, 1);
  t.is(found.at(-1), exhausted);
});

test('a message expression makes no more than five kibibytes, else the fixed message counts', (t) => {
  const rule = (messageExpression: string) => ({rule: 'false', messageExpression, message: 'fixed'});
  const said = (messageExpression: string, s: string) => bodiesOf(texts, [rule(messageExpression)], {s})[0]!.replace(/^.*"object": /, '');
  t.is(said('self.s', 'a'.repeat(5120)), 'a'.repeat(5120));
  t.is(said('self.s', `  ${'a'.repeat(5120)}  `), 'a'.repeat(5120));
  t.is(said('self.s', 'a'.repeat(5121)), 'fixed');
  t.is(said('self.s', 'é'.repeat(2561)), 'fixed');
  t.is(said('"a" + self.s + self.s', 'a'.repeat(900_000)), 'fixed');
});

test('neither a rule nor a value is quoted at length', (t) => {
  const long = 'y'.repeat(200_000);
  const rules: readonly ValidationRule[] = [
    {rule: `self.s == "${long}"`},
    {rule: `{"a": 1}[self.s] == 1 || "${long}" == ""`},
    {rule: 'bool(self.s)'},
    {rule: `self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0 && "${long}" != "")))`},
  ];
  const found = bodiesOf(texts, rules, {s: `${long}y`, list: Array.from({length: 200}, (_item, index) => index)});
  t.is(found.length, rules.length);
  for (const fault of found) t.true(fault.length < 11_000, `${fault.length}: ${fault.slice(0, 100)}`);
  const environment = new ExpressionEnvironment(celFeaturesOf('1.36', 'stored'), new Map([['self', dynType]]));
  const compiled = compileRule(environment, {rule: 'self == 1'});
  t.false(metered(100, () => compiled.holds({self: 2n})).exceeded);
  t.throws(() => compileRule(environment, {rule: `${long} == 1`}), {message: /^.{1,5300}$/s});
});
