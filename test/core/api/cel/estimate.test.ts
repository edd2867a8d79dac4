import test from 'ava';
import {SchemaSizes} from '../../../../core/api/cel/cost/size-model.js';
import {ExpressionError} from '../../../../sdk/index.js';
import {RuleSet} from '../../../../core/api/cel/rule-set.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';

const catalog = new SchemaCatalog(undefined, '1.36');

/** What a rule of a place with this schema costs at most. */
function costOf(schema: JsonSchema, rule: string): number {
  const source = {rule};
  const root = catalog.fromInline({type: 'object', properties: {place: {...schema, 'x-kubernetes-validations': [source]}}}).node;
  const node = root.properties.get('place')!;
  const compiled = new RuleSet(root).rule(node, source);
  if (compiled instanceof ExpressionError) throw compiled;
  return compiled.cost(new SchemaSizes(node.schema));
}

const ofType = (type: string, maxLength?: number): JsonSchema => {
  if (type === 'int-or-string') return {'x-kubernetes-int-or-string': true};
  if (['byte', 'duration', 'date', 'date-time'].includes(type))
    return {type: 'string', format: type, ...(maxLength === undefined ? {} : {maxLength})};
  return {type, ...(maxLength === undefined ? {} : {maxLength})};
};
const array =
  (items: JsonSchema) =>
  (maxItems?: number): JsonSchema => ({type: 'array', items, ...(maxItems === undefined ? {} : {maxItems})});
const map =
  (additionalProperties: JsonSchema) =>
  (maxProperties?: number): JsonSchema => ({type: 'object', additionalProperties, ...(maxProperties === undefined ? {} : {maxProperties})});
const string = (maxLength?: number) => ofType('string', maxLength);
const texts = (max?: number) => array(string(max))(max);
const required: JsonSchema = {type: 'object', properties: {required: {type: 'string'}}, required: ['required']};

type Case = readonly [schema: (max?: number) => JsonSchema, rule: string, unbounded: number, max: number, bounded: number];

/** What Kubernetes computes for these, without and with a bound. */
const known: readonly Case[] = [
  [array(ofType('number')), 'self.all(x, true)', 4718591, 10, 32],
  [array(ofType('string')), 'self.all(x, true)', 3145727, 20, 62],
  [array(ofType('boolean')), 'self.all(x, true)', 1887437, 5, 17],
  [array(array(ofType('number'))()), 'self.all(x, true)', 3145727, 100, 302],
  [array(required), 'self.all(x, true)', 555128, 50, 152],
  [map(ofType('number')), 'self.all(x, true)', 1348169, 10, 32],
  [map(ofType('number')), 'has(self.x)', 1, 100, 1],
  [map(ofType('string')), 'self.all(x, true)', 1179647, 3, 11],
  [map(ofType('boolean')), 'self.all(x, true)', 943718, 100, 302],
  [string, "self.contains('test')", 314574, 10, 5],
  [string, "self.startsWith('test')", 2, 15, 2],
  [string, "self.endsWith('test')", 2, 30, 2],
  [string, 'size(self + "hello") > size("hello")', 314578, 4, 7],
  [array(ofType('number')), 'self[1] == 0.0', 2, 5000, 2],
  [array(ofType('string')), 'self[1] == self[1]', 314577, 8, 314577],
  [array(ofType('number')), 'self.all(x, x == 0.0)', 6291454, 3 * 1024 * 2048, 25165826],
  [string, 'self.matches("x")', 314574, 50, 22],
  [string, '"".matches("(((((((((())))))))))[0-9]")', 7, 10, 7],
  [string, 'self.matches("")', 1, 100, 1],
  [string, 'self == "x"', 2, 0, 1],
  [(max) => ofType('byte', max), 'self == b"x"', 2, 0, 1],
  [array(ofType('int-or-string')), 'self.all(x, true)', 4718591, 10, 32],
  [array(ofType('int-or-string')), 'self[0] == 5', 3, 10, 3],
  [array(ofType('boolean')), 'self[0] == false', 2, 25, 2],
  [array(array(ofType('number'))()), 'self[0][0] == -1.0', 3, 51, 3],
  [array(map(ofType('number'))()), 'self.all(x, x.y == 25.2)', 6291452, 12, 74],
  [array(map(ofType('number'))()), 'self[0].x > 2.0', 4, 3000, 4],
  [array(ofType('duration')), 'self.all(x, true)', 2359295, 5, 17],
  [array(ofType('duration')), 'self[0].getHours() == 2', 4, 525, 4],
  [array(ofType('date')), 'self.all(x, true)', 725936, 15, 47],
  [array(ofType('date')), 'self[2].getDayOfMonth() == 13', 4, 42, 4],
  [array(ofType('date-time')), 'self.all(x, true)', 428963, 25, 77],
  [array(ofType('date-time')), 'self[2].getMinutes() == 45', 4, 99, 4],
  [map(ofType('int-or-string')), 'self.all(x, true)', 1348169, 15, 47],
  [map(map(ofType('number'))()), 'self.all(x, true)', 1179647, 10, 32],
  [map(array(ofType('number'))()), 'self.all(x, true)', 1179647, 25, 77],
  [map(ofType('duration')), 'self.all(x, true)', 1048577, 5, 17],
  [map(ofType('date')), 'self.all(x, true)', 524288, 10, 32],
  [map(ofType('date-time')), 'self.all(x, true)', 349526, 25, 77],
  [string, "self.find('[0-9]+') == ''", 629147, 10, 11],
  [texts, "self.join(' ') == 'aa bb'", 329853068905, 10, 43],
  [texts, 'self.isSorted() == true', 329854432052, 10, 52],
  [
    (max) => ({type: 'object', properties: {str: string(max), before: string(2), after: string(4)}}),
    "self.str.replace(self.before, self.after) == 'does not matter'",
    629154,
    4,
    12,
  ],
  [
    (max) => ({type: 'object', properties: {str: string(max), separator: string(max)}}),
    'self.str.split(self.separator) == []',
    629160,
    10,
    22,
  ],
  [string, "self.lowerAscii() == 'lower!'", 314575, 10, 6],
  [map(ofType('integer')), 'oldSelf.size() == self.size()', 5, 10, 5],
  [map(ofType('date-time')), 'self["a"] == self["b"]', 8, 7, 8],
  [map(ofType('duration')), 'self["c"] == self["d"]', 8, 42, 8],
  [array(ofType('number')), 'self.all(x, self.all(y, true))', 1572863 * 4718594 + 2, 10, 352],
  [array(ofType('number')), 'self.all(x, self.all(y, self.all(z, true)))', 1572863 * (1572863 * 4718594 + 5) + 2, 10, 3552],
];

test('a rule costs what Kubernetes computes, with bounds in the schema and without', (t) => {
  for (const [schema, rule, unbounded, max, bounded] of known) {
    const described = `${rule} of ${JSON.stringify(schema())}`;
    const cost = costOf(schema(), rule);
    t.true(Math.abs(cost - unbounded) <= unbounded / 1e6 && (unbounded > 1e12 || cost === unbounded), `${described}: ${cost}`);
    t.is(costOf(schema(max), rule), bounded, `${described} with ${max}`);
  }
});

const object: JsonSchema = {
  type: 'object',
  properties: {
    i: {type: 'integer'},
    kind: {type: 'string', enum: ['a', 'bcd']},
    short: {type: 'string', maxLength: 10},
    long: {type: 'string'},
    list: {
      type: 'array',
      maxItems: 10,
      items: {type: 'object', properties: {n: {type: 'string', maxLength: 5}, 'x-y': {type: 'string', maxLength: 5}}},
    },
    'a-b': {type: 'string', maxLength: 3},
    map: {type: 'object', maxProperties: 4, additionalProperties: {type: 'string', maxLength: 5}},
  },
};

test('each operation has its price', (t) => {
  const prices: Readonly<Record<string, number>> = {
    true: 0,
    'self.i == -1': 2,
    '!has(self.i) || self.i > 1': 2 + 3,
    'self.kind == self.long': 4 + 1,
    'self.short.contains(self.short)': 4 + 4 * 4,
    'self.a__dash__b == self.long': 4 + 2,
    'self.short in ["a", "b"]': 2 + 10 + 2,
    'self.short in self.map': 2 + 2 + 1,
    '{"a": self.i}["a"] == 1': 30 + 2 + 1,
    'self.i > 1 ? self.short == "a" : true': 3 + 3,
    'type(self.i) == int': 2 + 1 + 1,
    'self.list.all(x, x.n == x.n)': 2 + 1 + 10 * (3 + 4 + 2),
    'self.list.all(x, x.x__dash__y == "")': 2 + 1 + 10 * (3 + 2 + 0),
    'self.list.exists(x, x.n == "a")': 2 + 1 + 10 * (4 + 2 + 1),
    'self.list.exists_one(x, x.n == "a")': 2 + 2 + 10 * (2 + 2 + 1),
    'self.list.filter(x, x.n == "a").size() == 0': 2 + 11 + 10 * (13 + 2 + 1) + 1 + 1,
    'self.list.map(x, x.n).size() == 0': 2 + 11 + 10 * (12 + 2) + 1 + 1,
    'self.list.filter(x, true).all(y, y.n == y.n)': Infinity,
    'self.list.map(x, x.n).exists(y, y.contains("a"))': 2 + 11 + 10 * 14 + 1 + 10 * (4 + 1),
    '["a", "bb"].all(x, self.short.contains(x))': 10 + 1 + 2 * (3 + 2 + 1),
    'self.map.all(k, self.map[k] == "a")': 2 + 1 + 4 * (3 + 2 + 1 + 1 + 1),
    'self.?short.optMap(x, x == x).hasValue()': Infinity,
    'self.?short.orValue("a") == "a"': 2 + 1 + 1,
    'self.short.upperAscii().trim() == "a"': 2 + 4 + 4 + 1,
    'self.short.split(",").size() < 3': 2 + 8 + 1 + 1,
    'self.short.split(",", 2).all(x, x == "a")': 2 + 8 + 1 + 2 * (3 + 1),
    'isQuantity(self.short)': 2 + 4,
    'url(self.short).getHost() == "a"': 2 + 4 + 1 + 1,
    'string(self.i) == "a"': 2 + 1 + 1,
    'bytes(self.short) == b"a"': 2 + 4 + 1,
    'self.list.map(x, x.n).join(",") == "a"': Infinity,
    'self.list.map(x, x.n).indexOf("a") == 0': Infinity,
  };
  for (const [rule, price] of Object.entries(prices)) {
    const cost = costOf(object, rule);
    // What has no bound is as dear as can be.
    t.is(cost > 2 ** 60 ? Infinity : cost, price, rule);
  }
});

const ruleLimit = 10_000_000;

test('what is cut out of a text is no longer than the text, as far as Kubernetes knows', (t) => {
  const host = string(253);
  const hosts = {type: 'array', maxItems: 64, items: host} as const;
  const rules: readonly (readonly [schema: JsonSchema, rule: string, accepted: boolean])[] = [
    [host, "self.split('/').all(f, f.size() < 63)", true],
    [host, "self.find('[a-z]+').contains('a')", true],
    [host, "self.substring(1).replace('a', 'b').trim().contains('b')", true],
    [hosts, "self.all(x, x.lowerAscii().contains('a'))", true],
    [host, "self.split('/')[0].matches('^[a-z]+$')", true],
    [host, "self.split('/').all(f, f.matches('^[a-z]+$'))", true],
    [host, "self.split('/').join('.').contains('a')", false],
    [host, "self.charAt(0).matches('[a-z]')", false],
    [hosts, "self.map(x, x.split('/')[0]).all(y, y.matches('^[a-z]+$'))", true],
    [string(), "self.split('/').all(f, f.matches('a'))", false],
    [texts(), "self.map(x, x.split('/')[0]).all(y, y.matches('^[a-z]+$'))", false],
  ];
  for (const [schema, rule, accepted] of rules) t.is(costOf(schema, rule) <= ruleLimit, accepted, `${rule}: ${costOf(schema, rule)}`);
});

test('type and names of an API object are texts of any length', (t) => {
  const embedded: JsonSchema = {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true};
  t.is(costOf(embedded, 'self.metadata.name.contains("a") && self.kind == self.apiVersion'), 3 + 314573 + 4 + 314573);
});
