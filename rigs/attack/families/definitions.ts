import {family} from '../attack.js';
import {fillWith} from './body-attack.js';
import {
  defaulted,
  definition,
  definitionsPath,
  established,
  groupOf,
  list,
  nested,
  objectsOf,
  properties,
  rule,
  sent,
  text,
  thing,
  withSpec,
} from './definition-attack.js';

export const definitions = family('definitions', [
  sent('wide', (attacker) => definition(attacker, 'things', withSpec({type: 'object', properties: properties(20_000, text)}))),
  sent('deep', (attacker) =>
    definition(attacker, 'things', withSpec(nested(2_000, (inner) => ({type: 'object', properties: {a: inner}})))),
  ),
  sent('deep-lists', (attacker) => definition(attacker, 'things', withSpec(nested(2_000, (inner) => ({type: 'array', items: inner}))))),
  sent('bushy', (attacker) =>
    definition(attacker, 'things', withSpec(nested(4, (inner) => ({type: 'object', properties: properties(11, inner)})))),
  ),
  sent('many-any-of', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec({type: 'object', properties: {a: text}, anyOf: Array.from({length: 10_000}, () => ({required: ['a']}))}),
    ),
  ),
  sent('nested-any-of', (attacker) =>
    definition(attacker, 'things', withSpec({...text, ...nested(12, (inner) => ({anyOf: [inner, inner]}), {pattern: '^a'})})),
  ),
  sent('nested-not', (attacker) =>
    definition(attacker, 'things', withSpec({...text, ...nested(3_000, (inner) => ({not: inner}), {pattern: '^a'})})),
  ),
  sent('large-enum', (attacker) =>
    definition(attacker, 'things', withSpec({type: 'string', enum: Array.from({length: 100_000}, (_, number) => `e${number}`)})),
  ),
  sent('long-description', (attacker) => definition(attacker, 'things', {...withSpec(text), description: 'd'.repeat(2_500_000)})),
  sent('long-pattern', (attacker) => definition(attacker, 'things', withSpec({type: 'string', pattern: 'a?'.repeat(200_000)}))),
  sent('large-repeats', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec({type: 'object', properties: properties(200, {type: 'string', pattern: '((a{1,100}){1,100}){1,10}'})}),
    ),
  ),
  sent('many-patterns', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({length: 5_000}, (_, number) => [`p${number}`, {type: 'string', pattern: `^(a|b|c|d${number})*(x+x+)+y$`}]),
        ),
      }),
    ),
  ),
  sent('many-versions', (attacker) =>
    definition(attacker, 'things', undefined, {
      versions: Array.from({length: 300}, (_, number) => ({
        name: `v${number + 1}`,
        served: true,
        storage: number === 0,
        schema: {openAPIV3Schema: withSpec({type: 'object', properties: properties(20, text)})},
      })),
    }),
  ),
  sent('many-columns', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec(text),
      {},
      {additionalPrinterColumns: Array.from({length: 10_000}, (_, number) => ({name: `c${number}`, type: 'string', jsonPath: '.spec'}))},
    ),
  ),
  sent('bad-columns', (attacker) =>
    definition(attacker, 'things', withSpec(text), {}, {additionalPrinterColumns: Array.from({length: 20_000}, () => ({}))}),
  ),
  sent('columns-that-descend', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec(text),
      {},
      {
        additionalPrinterColumns: Array.from({length: 500}, (_, number) => ({
          name: `c${number}`,
          type: 'string',
          jsonPath: `.${'..a'.repeat(300)}`,
        })),
      },
    ),
  ),
  sent('column-of-nested-filters', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec(text),
      {},
      {additionalPrinterColumns: [{name: 'c', type: 'string', jsonPath: `.${'a[?(@.'.repeat(20_000)}b${')]'.repeat(20_000)}`}]},
    ),
  ),
  sent('many-different-rules', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({length: 2_000}, (_, number) => [
            `p${number}`,
            rule(`self.startsWith("a${number}") && self.size() > ${number} && (self + "${number}").contains("b")`, {
              type: 'string',
              maxLength: 10,
            }),
          ]),
        ),
      }),
    ),
  ),
  sent('rule-of-many-macros', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec(
        rule(Array.from({length: 2_000}, (_, number) => `self.exists(x${number}, x${number} == "${number}")`).join(' || '), {
          type: 'array',
          maxItems: 5,
          items: {type: 'string', maxLength: 5},
        }),
      ),
    ),
  ),
  sent('rule-of-nested-macros', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec(
        rule(`${Array.from({length: 200}, (_, number) => `self.all(x${number}, `).join('')}true${')'.repeat(200)}`, {
          type: 'array',
          maxItems: 2,
          items: {type: 'string', maxLength: 2},
        }),
      ),
    ),
  ),
  sent('rule-of-long-text', (attacker) => definition(attacker, 'things', withSpec(rule(`self != "${'x'.repeat(2_000_000)}"`, text)))),
  {
    name: 'openapi-of-large-definitions',
    outcomes: [200],
    seconds: 6,
    leavesMegabytes: 100,
    async prepare(attacker) {
      for (let number = 0; number < 6; number++) {
        const spec = {type: 'object', properties: properties(8_000, {...text, description: `described by ${number}`})};
        await attacker.make(definitionsPath, definition(attacker, `things${number}`, withSpec(spec)));
      }
    },
    run: (attacker) =>
      attacker.repeat(30, 3, async (number) => {
        await attacker.call('GET', `/openapi/v3/apis/${groupOf(attacker)}/v1`, {user: 'builder'});
        if (number % 3 > 0) return;
        await attacker.call('GET', '/openapi/v2', {user: 'builder'});
        // Each change makes the documents anew.
        await attacker.call('PATCH', `${definitionsPath}/things${number % 6}.${groupOf(attacker)}`, {
          user: 'builder',
          type: 'application/json-patch+json',
          body: JSON.stringify([{op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/description', value: `changed ${number}`}]),
        });
      }),
  },
  sent('many-short-names', (attacker) =>
    definition(attacker, 'things', withSpec(text), {
      names: {
        plural: 'things',
        kind: 'Things',
        shortNames: Array.from({length: 20_000}, (_, number) => `s${number}`),
        categories: Array.from({length: 20_000}, (_, number) => `c${number}`),
      },
    }),
  ),
  sent('long-rule', (attacker) => definition(attacker, 'things', withSpec(rule(`${'self == "a" || '.repeat(20_000)}true`, text)))),
  sent('deep-rule', (attacker) => definition(attacker, 'things', withSpec(rule(`${'('.repeat(20_000)}true${')'.repeat(20_000)}`, text)))),
  sent('deep-rule-of-lists', (attacker) =>
    definition(attacker, 'things', withSpec(rule(`${'['.repeat(20_000)}true${']'.repeat(20_000)} == []`, text))),
  ),
  sent('deep-rule-of-negations', (attacker) => definition(attacker, 'things', withSpec(rule(`${'!'.repeat(50_000)}true`, text)))),
  sent('many-rules', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec({
        type: 'object',
        properties: properties(1, text),
        'x-kubernetes-validations': Array.from({length: 20_000}, (_, number) => ({rule: `self.p0 != "${number}"`})),
      }),
    ),
  ),
  sent('costly-rule', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec(rule('self.all(a, self.all(b, self.all(c, self.all(d, a + b + c != d))))', {type: 'array', items: text})),
    ),
  ),
  sent('rule-with-pattern', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec(rule('self.all(a, a.matches("(x+x+)+y"))', {type: 'array', maxItems: 1000, items: {type: 'string', maxLength: 100_000}})),
    ),
  ),
  sent('defaults', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec({
        type: 'object',
        default: Object.fromEntries(Array.from({length: 50_000}, (_, number) => [`k${number}`, 'v'])),
        additionalProperties: text,
      }),
    ),
  ),
  sent('default-of-megabytes', (attacker) => definition(attacker, 'things', withSpec({type: 'string', default: 'x'.repeat(2_000_000)}))),
  sent('default-that-grows', (attacker) =>
    definition(attacker, 'things', withSpec({type: 'array', items: defaulted, default: Array.from({length: 5_000}, () => ({}))})),
  ),
  sent('bad-names', (attacker) => definition(attacker, '-'.repeat(100_000), withSpec(text)), [422, 400, 413]),
  sent('conversion-review-versions', (attacker) =>
    definition(attacker, 'things', withSpec(text), {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: {url: 'https://127.0.0.1:1/'},
          conversionReviewVersions: Array.from({length: 100_000}, (_, number) => `v${number}`),
        },
      },
    }),
  ),
  {
    name: 'three-hundred',
    outcomes: [201],
    seconds: 6,
    leavesMegabytes: 100,
    run: (attacker) =>
      attacker.repeat(300, 4, (number) =>
        attacker.call('POST', definitionsPath, {
          user: 'builder',
          body: JSON.stringify(definition(attacker, `things${number}`, withSpec({type: 'object', properties: properties(40, text)}))),
        }),
      ),
  },
  {
    name: 'created-and-deleted',
    outcomes: [201, 409],
    seconds: 4,
    leavesMegabytes: 30,
    run: (attacker) =>
      attacker.repeat(40, 2, async (number) => {
        const body = JSON.stringify(
          definition(attacker, `things${number % 4}`, withSpec({type: 'object', properties: properties(40, text)})),
        );
        await attacker.call('POST', definitionsPath, {user: 'builder', body});
        await attacker.call('DELETE', `${definitionsPath}/things${number % 4}.${groupOf(attacker)}`, {user: 'builder'});
      }),
  },
  {
    name: 'changed-again-and-again',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 60,
    prepare: (attacker) => attacker.make(definitionsPath, definition(attacker, 'things', withSpec(text))),
    run: (attacker) =>
      attacker.repeat(150, 2, async (number) => {
        const schema = withSpec({type: 'object', properties: properties(200 + number, text)});
        await attacker.call('PATCH', `${definitionsPath}/things.${groupOf(attacker)}`, {
          user: 'builder',
          type: 'application/json-patch+json',
          body: JSON.stringify([{op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: schema}]),
        });
        if (number % 10 === 0) await attacker.call('GET', '/openapi/v2', {user: 'builder'});
      }),
  },
  objectsOf('objects-with-many-defaults', withSpec({type: 'array', items: defaulted}), () => thing(list(() => '{}', 900_000))),
  objectsOf(
    'objects-with-many-faults',
    withSpec({type: 'array', items: {type: 'object', required: ['a', 'b', 'c'], properties: {a: text, b: text, c: text}}}),
    () => thing(list(() => '{}')),
  ),
  objectsOf('objects-of-wrong-types', withSpec({type: 'array', items: {type: 'integer'}}), () => thing(list(() => '""'))),
  objectsOf(
    'objects-with-any-of-faults',
    withSpec({
      type: 'array',
      items: {
        type: 'object',
        properties: {a: {type: 'integer'}},
        anyOf: Array.from({length: 50}, (_, number) => ({properties: {a: {minimum: 1000 + number}}, required: ['a']})),
      },
    }),
    () => thing(list(() => '{"a":1}', 500_000)),
  ),
  objectsOf(
    'objects-with-nested-any-of',
    withSpec({type: 'array', items: {type: 'string', ...nested(10, (inner) => ({anyOf: [inner, inner]}), {pattern: '^b'})}}),
    () => thing(list(() => '"a"', 100_000)),
  ),
  objectsOf('objects-against-pattern', withSpec({type: 'string', pattern: '^(a+)+$'}), () => thing(`"${'a'.repeat(1_000_000)}!"`)),
  objectsOf('objects-against-many-patterns', withSpec({type: 'array', items: {type: 'string', pattern: '^((a|b|ab)*c{1,50})*$'}}), () =>
    thing(list(() => `"${'ab'.repeat(500)}"`, 1_000_000)),
  ),
  objectsOf('objects-against-format', withSpec({type: 'array', items: {type: 'string', format: 'email'}}), () =>
    thing(list(() => `"${'a.'.repeat(5_000)}"`, 1_000_000)),
  ),
  objectsOf('objects-against-times', withSpec({type: 'array', items: {type: 'string', format: 'date-time'}}), () =>
    thing(list(() => `"2001-01-01T01:01:01.${'1'.repeat(10_000)}x"`, 1_000_000)),
  ),
  objectsOf('objects-against-uri', withSpec({type: 'array', items: {type: 'string', format: 'uri'}}), () =>
    thing(list(() => `"http://${'a:@'.repeat(5_000)}"`, 1_000_000)),
  ),
  objectsOf('objects-against-hostname', withSpec({type: 'array', items: {type: 'string', format: 'hostname'}}), () =>
    thing(list(() => `"${'a-.'.repeat(5_000)}"`, 1_000_000)),
  ),
  objectsOf(
    'objects-against-enum',
    withSpec({type: 'array', items: {type: 'string', enum: Array.from({length: 2_000}, (_, number) => `e${number}`)}}),
    () => thing(list(() => '"none"', 1_000_000)),
  ),
  objectsOf(
    'objects-against-rule',
    withSpec(rule('self.all(a, self.exists(b, a < b))', {type: 'array', maxItems: 500, items: {type: 'string', maxLength: 10}})),
    () => thing(list((n) => `"${n}"`, 2_800)),
  ),
  objectsOf(
    'objects-against-rule-with-text',
    withSpec(rule('self.map(a, a + a + a + a).size() >= 0', {type: 'array', maxItems: 1_000, items: {type: 'string', maxLength: 1_000}})),
    () => thing(list(() => `"${'x'.repeat(900)}"`, 900_000)),
  ),
  objectsOf('objects-of-a-set', withSpec({type: 'array', 'x-kubernetes-list-type': 'set', items: text}), () =>
    thing(list((n) => `"${n}"`)),
  ),
  objectsOf('objects-of-a-set-all-the-same', withSpec({type: 'array', 'x-kubernetes-list-type': 'set', items: text}), () =>
    thing(list(() => '"a"')),
  ),
  objectsOf(
    'objects-of-a-set-of-lists',
    withSpec({type: 'array', 'x-kubernetes-list-type': 'set', items: {type: 'array', 'x-kubernetes-list-type': 'atomic', items: text}}),
    () => thing(list((n) => `["${n}"]`, 500_000)),
  ),
  objectsOf(
    'objects-of-a-keyed-list',
    withSpec({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {type: 'object', required: ['name'], properties: {name: text}},
    }),
    () => thing(list((n) => `{"name":"n${n}"}`)),
  ),
  objectsOf('objects-with-unique-items', withSpec({type: 'object', 'x-kubernetes-preserve-unknown-fields': true}), () =>
    thing(`{${fillWith((n) => `"k${n}":{"a":[${n}]}`)}}`),
  ),
  objectsOf(
    'objects-preserved-deep',
    withSpec({type: 'object', 'x-kubernetes-preserve-unknown-fields': true}),
    () => thing(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    {outcomes: [400]},
  ),
  objectsOf('objects-pruned', withSpec({type: 'object', properties: {}}), () => thing(`{${fillWith((n) => `"k${n}":1`)}}`)),
  objectsOf(
    'objects-embedded',
    withSpec({
      type: 'array',
      items: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true},
    }),
    () => thing(list(() => '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}', 1_000_000)),
  ),
  objectsOf(
    'objects-with-columns',
    {...withSpec({type: 'object', 'x-kubernetes-preserve-unknown-fields': true})},
    () => thing(`{"a":${list(() => '{"b":[1,2,3]}', 300_000)}}`),
    {
      times: 4,
      versionMore: {
        additionalPrinterColumns: Array.from({length: 50}, (_, number) => ({
          name: `c${number}`,
          type: 'string',
          jsonPath: '.spec.a[*].b[*]',
        })),
      },
    },
  ),
  {
    name: 'columns-over-deep-objects',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 30,
    async prepare(attacker) {
      const spec = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
      const columns = Array.from({length: 20}, (_, number) => ({name: `c${number}`, type: 'string', jsonPath: `.spec${'..a'.repeat(20)}`}));
      await attacker.make(definitionsPath, definition(attacker, 'things', withSpec(spec), {}, {additionalPrinterColumns: columns}));
      await established(attacker);
      const bushy = (depth: number): object => (depth === 0 ? {b: 1} : {a: bushy(depth - 1), c: bushy(depth - 1)});
      const path = attacker.path('things', `${groupOf(attacker)}/v1`);
      for (let number = 0; number < 20; number++)
        await attacker.make(path, {apiVersion: `${groupOf(attacker)}/v1`, kind: 'Things', metadata: {name: `t${number}`}, spec: bushy(10)});
    },
    run: (attacker) =>
      attacker.repeat(20, 2, () =>
        attacker.call('GET', attacker.path('things', `${groupOf(attacker)}/v1`), {
          user: 'builder',
          headers: ['Accept: application/json;as=Table;g=meta.orch;v=v1'],
        }),
      ),
  },
]);
