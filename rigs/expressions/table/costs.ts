import type {JsonSchema} from '../../../core/api/schema/json-schema.js';
import type {ExpressionCase} from '../../../test/expressions/expression-case.js';
import {everything} from './schemas.js';

const text = (maxLength?: number): JsonSchema => ({type: 'string', ...(maxLength !== undefined && {maxLength})});
const list = (items: JsonSchema, maxItems?: number): JsonSchema => ({type: 'array', items, ...(maxItems !== undefined && {maxItems})});
const map = (additionalProperties: JsonSchema, maxProperties?: number): JsonSchema => ({
  type: 'object',
  additionalProperties,
  ...(maxProperties !== undefined && {maxProperties}),
});
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({type: 'object', properties});

const scalars: readonly JsonSchema[] = [
  {type: 'integer'},
  {type: 'number'},
  {type: 'boolean'},
  text(),
  {type: 'string', format: 'byte'},
  {type: 'string', format: 'duration'},
  {type: 'string', format: 'date'},
  {type: 'string', format: 'date-time'},
  {'x-kubernetes-int-or-string': true},
  object({a: {type: 'integer'}}),
  {...object({a: {type: 'integer'}}), required: ['a']},
  {type: 'string', enum: ['a', 'bcdef']},
];

const ofText: readonly string[] = [
  "self.contains('ab')",
  'self.contains(self)',
  "self.startsWith('ab') && self.endsWith(self)",
  "self.matches('^[a-z]+$')",
  'self.matches(self)',
  'self == self',
  "self + self + self == ''",
  'self < self',
  "self.find('[a-z]+') == self",
  "self.findAll('[a-z]+').all(x, x.contains('a'))",
  "self.split('/').all(x, x.matches('^[a-z]+$'))",
  "self.split('/')[0].matches('^[a-z]+$')",
  "self.split('/', 2).all(x, x.contains('a'))",
  "self.split('/').map(x, x.lowerAscii()).exists(x, x == 'a')",
  "self.split('/').join('.').contains('a')",
  "self.split('/').filter(x, x != '').size() > 2",
  "self.replace('a', 'bbb').contains('b')",
  "self.replace('', 'b').contains('b')",
  "self.replace('abc', 'b').contains('b')",
  'self.replace(self, self).contains(self)',
  "self.lowerAscii().upperAscii().trim().contains('a')",
  "self.substring(1).contains('a')",
  "self.charAt(1).contains('a')",
  "self.indexOf('a') > 1 && self.lastIndexOf('a') > 1",
  'self.size() > 1',
  "self in ['a', 'b']",
  "['a', 'b'].exists(x, self.contains(x))",
  "[self, 'a'].all(x, x.contains('a'))",
  "[self].join(',').matches('a')",
  "(self == 'a' ? self : 'b').contains('a')",
  "(self == 'a' ? self.split(',') : [self]).all(x, x.contains('a'))",
  "(self.split(',') + [self]).all(x, x.contains('a'))",
  "(self.split(',') + []).all(x, x.contains('a'))",
  'isQuantity(self) && isURL(self)',
  'isIP(self) || isCIDR(self)',
  'ip(self).family() == 4',
  "cidr(self).containsIP(self) && cidr(self).containsCIDR(self) && cidr('10.0.0.0/8').containsIP(ip(self))",
  'ip.isCanonical(self)',
  "url(self).getHost() == 'a' && url(self).getEscapedPath().matches('a')",
  'url(self) == url(self)',
  "quantity(self) == quantity('1') && quantity(self).isLessThan(quantity(self))",
  "semver(self).isGreaterThan(semver('1.0.0')) && isSemver(self)",
  'format.dns1123Subdomain().validate(self).hasValue()',
  "format.dns1123Label().validate(self).value().exists(x, x.contains('a'))",
  "format.named('uri').hasValue()",
  'bytes(self).size() > 1 && bytes(self) == bytes(self)',
  "string(bytes(self)).contains('a')",
  "'%s'.format([self]).contains('a')",
  "self.format(['a']).contains('a')",
  "strings.quote(self).contains('a')",
  'dyn(self) == dyn(self)',
  'type(self) == string',
  'int(self) > 1 && duration(self) > duration("1s") && timestamp(self) > timestamp(0)',
  "optional.of(self).orValue('a').contains('a')",
  "optional.of(self).optMap(x, x + 'a').value().contains('a')",
  "self.split(',').sort().isSorted()",
  "self.split(',').reverse().all(x, x.contains('a'))",
  "self.split(',').distinct().size() > 1",
  "self.split(',').sortBy(x, x.size()).size() > 1",
  "{self: self}.all(k, k.contains('a'))",
  "{'a': self}['a'].contains('a')",
  "{'a': self}.a.contains('a')",
];

const ofTexts: readonly string[] = [
  'self.all(x, true)',
  'self.all(x, x == x)',
  "self.all(x, x.contains('a'))",
  'self.all(x, self.all(y, x == y))',
  'self.all(x, self.exists_one(y, x == y))',
  'self.all(x, self.all(y, self.all(z, x == z)))',
  'self.exists(x, x.matches("^a$"))',
  "self.map(x, x + 'a').all(y, y.contains('a'))",
  "self.map(x, x.split(',')).all(y, y.all(z, z.contains('a')))",
  "self.filter(x, x != 'a').all(y, y.contains('a'))",
  "self.filter(x, x != 'a').size() > 1",
  'self.map(x, x.size()).sum() > 1',
  "self.join(',').contains('a')",
  'self.isSorted() && self.min() == self.max()',
  "self.indexOf('a') > 1",
  "'a' in self",
  'self[0] == self[1]',
  "self[0].contains('a')",
  'self == self',
  "self + self == ['a']",
  "(self + ['a']).all(x, x.contains('a'))",
  "(self + self).all(x, x.contains('a'))",
  'self.size() > 1',
  'sets.contains(self, self) && sets.intersects(self, self)',
  'sets.equivalent(self, self)',
  "sets.contains(['a'], self)",
  'self.sort() == self',
  'self.reverse() == self && self.distinct() == self',
  "self.sortBy(x, x)[0].contains('a')",
  "self.slice(0, 2).all(x, x.contains('a'))",
  "self.first().value().contains('a') && self.last().hasValue()",
  'self.all(i, v, i > 1 && v == v)',
  "self.transformList(i, v, v + 'a').all(x, x.contains('a'))",
  "self.transformMap(i, v, v).all(k, v, v.contains('a'))",
  "self.exists(x, x.startsWith('a')) ? self.all(x, x.size() > 1) : self.exists(y, y == 'b')",
  'self.map(x, [x]).flatten() == self',
  "self.map(x, {'a': x}).all(y, y.a.contains('b'))",
  "self[?0].orValue('a').contains('b')",
  "self.all(x, isIP(x) && cidr('10.0.0.0/8').containsIP(x))",
  'self.all(x, isURL(x) && url(x).getHost().matches("a"))',
  "self.all(x, ['a', 'b', 'c'].exists(y, x.contains(y)))",
  'lists.range(10).all(x, x >= 0) && lists.range(self.size()).size() > 1',
  'self.all(x, format.dns1123Label().validate(x) == optional.none())',
];

const ofMaps: readonly string[] = [
  'self.all(k, true)',
  'self.all(k, self[k] == k)',
  "self.all(k, k.contains('a'))",
  "self.all(k, self[k].contains('a'))",
  "self.exists(k, k == 'a') && 'a' in self && has(self.a)",
  'self == self',
  "self.a.contains('b')",
  "self['a'].contains('b')",
  "self.all(k, v, v.contains('a') && k.contains('a'))",
  "self.map(k, self[k]).join(',').contains('a')",
  "self.transformMap(k, v, v + k).all(k, v, v.contains('a'))",
  "self.?a.orValue('b').contains('b')",
  "self[?'a'].orValue('b').contains('b')",
  'self.size() > 1',
];

export function costCases(): ExpressionCase[] {
  const cases: ExpressionCase[] = [];
  const add = (schema: JsonSchema, rule: string) => cases.push({kind: 'cost', schema, rule: {rule}});
  for (const scalar of scalars) {
    for (const container of [list, map])
      for (const count of [undefined, 5000]) {
        const schema = container(scalar, count);
        add(schema, 'self.all(x, self.all(y, true))');
        add(schema, 'self.all(x, self.exists(y, self.size() > 1 || self == self))');
        // Where it occurs counts too.
        add({...container({...scalar, 'x-kubernetes-validations': [{rule: 'self == self && self == self'}]}, count)}, 'true');
      }
  }
  for (const rule of ofText) for (const bound of [undefined, 253, 60_000]) add(text(bound), rule);
  for (const rule of ofTexts) {
    add(list(text()), rule);
    add(list(text(100), 300), rule);
    add(list(text(1000)), rule);
    add(list(text(), 3), rule);
  }
  for (const rule of ofMaps) {
    add(map(text()), rule);
    add(map(text(100), 3000), rule);
  }
  for (const rule of [
    'self.lu.all(x, self.lu.all(y, x == y))',
    'self.u.contains(self.u)',
    'self.lo.all(x, self.lo.all(y, x.k == y.k || x.v == y.v))',
    'self.ll.all(x, x.all(y, y.contains(self.u)))',
    "self.lu.all(x, x.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))",
    "self.mu.all(k, self.mu[k].matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))",
    'self.w.metadata.name.contains(self.w.kind)',
    'oldSelf.lu.all(x, x in self.lu)',
    'self.lu == oldSelf.lu',
    'self.x == self.x && self.x == "a"',
    'self.e.contains(self.u) && self.o.a.contains(self.u)',
    "(has(self.u) ? self.u : '').matches('a+b+c+')",
    'self.lu.map(x, x + x).map(x, x + x).all(x, x.contains("a"))',
    'self.lu.filter(x, x.size() > 1).map(x, x.size()).all(x, x > 1)',
    'self.p == self.p',
    'self.lo == self.lo && self.lt == self.lt && self.o == self.o',
    'self.lu.exists(x, self.lu.filter(y, y == x).size() > 1)',
  ])
    add(everything, rule);
  // The same rule in many places, and more than all rules of a schema may cost.
  const dear = {
    type: 'string',
    maxLength: 100_000,
    'x-kubernetes-validations': [{rule: "self.matches('^a+$') && self.contains('aaaaaaaaaaaaaaaaaaaaaa')"}],
  } as const;
  for (const count of [1, 5, 20, 80])
    cases.push({
      kind: 'cost',
      schema: object(Object.fromEntries(Array.from({length: count}, (_, at) => [`p${at}`, dear]))),
      rule: {rule: 'true'},
    });
  const loop = {
    type: 'array',
    maxItems: 1000,
    items: {type: 'string', maxLength: 10},
    'x-kubernetes-validations': [{rule: 'self.all(x, self.all(y, x == y))'}],
  } as const;
  for (const count of [1, 10, 25, 40])
    cases.push({
      kind: 'cost',
      schema: object(Object.fromEntries(Array.from({length: count}, (_, at) => [`p${at}`, loop]))),
      rule: {rule: 'true'},
    });
  return cases;
}
