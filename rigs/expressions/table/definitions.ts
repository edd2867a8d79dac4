import type {JsonSchema} from '../../../core/api/schema/json-schema.js';
import type {ExpressionCase} from '../../../test/expressions/expression-case.js';

const text = (maxLength: number): JsonSchema => ({type: 'string', maxLength});
const name = text(253);
const list = (items: JsonSchema, maxItems: number): JsonSchema => ({type: 'array', items, maxItems});
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({type: 'object', properties});
const integer: JsonSchema = {type: 'integer'};

/** Rules of the forms that definitions in use have, with their schemas. */
const forms: readonly (readonly [schema: JsonSchema, rules: readonly string[], values: readonly unknown[]])[] = [
  [
    object({parentRefs: list({...object({group: name, kind: text(63), namespace: text(63), name, sectionName: name, port: integer})}, 32)}),
    [
      "!has(self.parentRefs) || self.parentRefs.all(p1, p1.name != '' && self.parentRefs.exists_one(p2, p1.name == p2.name && p1.kind == p2.kind && ((!has(p1.sectionName) && !has(p2.sectionName)) || p1.sectionName == p2.sectionName)))",
      "self.parentRefs.all(p1, self.parentRefs.all(p2, p1.group == p2.group && p1.kind == p2.kind && p1.name == p2.name && (((!has(p1.__namespace__) || p1.__namespace__ == '') && (!has(p2.__namespace__) || p2.__namespace__ == '')) || (has(p1.__namespace__) && has(p2.__namespace__) && p1.__namespace__ == p2.__namespace__)) ? ((!has(p1.port) || p1.port == 0) == (!has(p2.port) || p2.port == 0)) : true))",
      'self.parentRefs.exists(p, has(p.port) ? p.port > 0 && p.port < 65536 : true)',
    ],
    [
      {parentRefs: [{name: 'a', kind: 'G', sectionName: 's'}]},
      {
        parentRefs: [
          {name: 'a', kind: 'G'},
          {name: 'a', kind: 'G', port: 0},
        ],
      },
      {},
    ],
  ],
  [
    object({
      type: {type: 'string', enum: ['Managed', 'Unmanaged', 'Custom']},
      custom: object({a: text(10)}),
      replicas: integer,
      min: integer,
      max: integer,
    }),
    [
      "self.type == 'Custom' ? has(self.custom) : !has(self.custom)",
      "has(self.type) && self.type == 'Managed' || !has(self.replicas)",
      '!has(self.min) || !has(self.max) || self.min <= self.max',
      'self.replicas >= self.min && self.replicas <= self.max',
      '[has(self.custom), has(self.replicas)].filter(x, x == true).size() == 1',
      '(has(self.custom) ? 1 : 0) + (has(self.replicas) ? 1 : 0) <= 1',
      "self.type in ['Managed', 'Custom']",
      "self.?custom.?a.orValue('x') == 'x'",
    ],
    [{type: 'Custom', custom: {a: 'y'}}, {type: 'Managed', replicas: 3, min: 1, max: 2}, {}],
  ],
  [
    object({cidr: text(43), cidrs: list(text(43), 20), ip: text(39), ips: list(text(39), 5)}),
    [
      'isCIDR(self.cidr) && cidr(self.cidr) == cidr(self.cidr).masked()',
      'self.cidrs.all(x, isCIDR(x)) && self.cidrs.all(x, self.cidrs.exists_one(y, x == y))',
      'self.ips.all(x, isIP(x) && ip(x).family() == 4 ? cidr(self.cidr).containsIP(x) : true)',
      'size(self.ips) == 2 && isIP(self.ips[0]) && isIP(self.ips[1]) ? ip(self.ips[0]).family() != ip(self.ips[1]).family() : true',
      'self.cidrs.map(x, cidr(x).prefixLength()).all(x, x > 7 && x < 29)',
      '!isIP(self.ip) || ip.isCanonical(self.ip)',
    ],
    [
      {cidr: '10.0.0.0/8', cidrs: ['10.0.0.0/8', '10.0.0.0/8'], ip: '10.1.2.3', ips: ['10.0.0.1', '::1']},
      {cidr: 'x', cidrs: ['x'], ips: ['1']},
    ],
  ],
  [
    object({
      name,
      image: text(447),
      url: text(2048),
      labels: {type: 'object', maxProperties: 16, additionalProperties: text(63)},
      schedule: text(100),
    }),
    [
      "self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
      'format.dns1123Subdomain().validate(self.name).hasValue() == false',
      '!format.dns1123Label().validate(self.name).hasValue()',
      "self.image.split('@').size() == 2 && self.image.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
      "(size(self.image.split('@')[0]) < 448) && self.image.matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?(:[a-zA-Z0-9-_.]*)?(@sha256:[a-f0-9]{64})?$')",
      "isURL(self.url) && url(self.url).getScheme() in ['http', 'https'] && url(self.url).getEscapedPath() == '' && url(self.url).getQuery() == {}",
      "self.labels.all(k, !k.startsWith('kubernetes.io/') && !k.endsWith('.k8s.io') && self.labels[k].size() < 64)",
      "self.labels.all(k, v, k.split('/').size() <= 2 && v.matches('^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$'))",
      "!self.schedule.contains('TZ') && self.schedule.split(' ').size() == 5",
      "self.name.startsWith('system:') == false && self.name.size() <= 63 && self.name.lowerAscii() == self.name",
      "self.url.find('://[^/]+') != '' && self.url.findAll('[0-9]+').size() < 3",
    ],
    [
      {name: 'a.b', image: 'reg.io/a@sha256:x', url: 'https://a.b', labels: {a: 'b'}, schedule: '* * * * *'},
      {name: '-', image: 'x', url: 'ftp:', labels: {'x.k8s.io': ''}, schedule: 'TZ'},
    ],
  ],
  [
    object({
      cpu: {'x-kubernetes-int-or-string': true, maxLength: 20},
      memory: {'x-kubernetes-int-or-string': true, maxLength: 20},
      percent: {'x-kubernetes-int-or-string': true, maxLength: 8},
      size: text(20),
      timeout: {type: 'string', format: 'duration'},
      at: {type: 'string', format: 'date-time'},
    }),
    [
      'quantity(self.size).isGreaterThan(quantity("1Mi"))',
      "isQuantity(string(self.cpu)) && quantity(string(self.cpu)).compareTo(quantity('0')) >= 0",
      "type(self.percent) == int ? self.percent > 0 : self.percent.matches('^[0-9]+%$')",
      "type(self.percent) == string ? int(self.percent.replace('%', '')) <= 100 : true",
      'self.cpu == self.memory',
      "self.timeout >= duration('1s') && self.timeout <= duration('24h')",
      "self.at > timestamp('2024-01-01T00:00:00Z') && self.at.getFullYear() < 2030",
      "self.percent == '50%' || self.percent == 50",
    ],
    [
      {cpu: 2, memory: '1Gi', percent: '50%', size: '2Gi', timeout: '5m', at: '2024-05-01T00:00:00Z'},
      {cpu: 'x', memory: 1, percent: 200, size: 'x', timeout: '25h', at: '2031-01-01T00:00:00Z'},
    ],
  ],
  [
    object({
      rules: list(
        object({
          verbs: list(text(20), 10),
          paths: list(text(200), 10),
          weight: integer,
          backend: object({service: object({name: text(63), port: integer}), resource: object({kind: text(63)})}),
        }),
        16,
      ),
      version: text(32),
    }),
    [
      'self.rules.all(r, has(r.backend) && [has(r.backend.service), has(r.backend.resource)].exists_one(x, x))',
      'self.rules.map(r, r.weight).sum() == 100',
      "self.rules.all(r, r.paths.all(p, p.startsWith('/') && !p.contains('//') && !p.endsWith('/.')))",
      "self.rules.exists(r, 'get' in r.verbs || '*' in r.verbs)",
      "sets.contains(['get', 'list', 'watch'], self.rules.map(r, r.verbs[0]))",
      'self.rules.map(r, r.backend.service.name).isSorted()',
      "self.rules.all(r, r.verbs.size() == r.verbs.filter(v, v in ['get', 'list']).size())",
      "semver(self.version).isGreaterThan(semver('1.2.0')) || self.version == ''",
      'self.rules.sortBy(r, r.weight)[0].weight == 10',
      'self.rules.all(i, r, i == 0 || self.rules[i - 1].weight <= r.weight)',
      'self.rules.transformMap(i, r, r.weight).all(k, w, w >= 0)',
    ],
    [
      {
        rules: [
          {verbs: ['get'], paths: ['/a'], weight: 10, backend: {service: {name: 's', port: 1}}},
          {verbs: ['put'], paths: ['b'], weight: 90, backend: {}},
        ],
        version: '1.3.0',
      },
      {rules: [], version: 'x'},
    ],
  ],
];

export function definitionCases(): ExpressionCase[] {
  return forms.flatMap(([schema, rules, values]) =>
    rules.map((rule): ExpressionCase => ({
      kind: 'definitions in use',
      schema,
      rule: {rule, message: 'not so'},
      values: values.map((value) => ({value})),
    })),
  );
}
