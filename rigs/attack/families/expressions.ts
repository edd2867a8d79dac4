import type {Attacker} from '../client/attacker.js';
import {family, type Attack} from '../attack.js';
import {definition, list, objectsOf, sent, text, thing, withSpec} from './definition-attack.js';

const group = '/apis/admissionregistration.orch/v1alpha1';
const policiesOn = ['--feature-gates', 'ValidatingAdmissionPolicy=true', '--runtime-config', 'admissionregistration.orch/v1alpha1=true'];

/** Rules with these expressions, of a text in an object that is as long as a user likes. */
const rules = (expressions: readonly string[], schema: object = text) => ({
  ...schema,
  'x-kubernetes-validations': expressions.map((rule) => ({rule})),
});
const times = (count: number, expression: string) => Array.from({length: count}, (_, number) => `${expression} || "${number}" == "x"`);
const quoted = (value: string) => JSON.stringify(value);

/** Objects with a text that a policy reads. */
const judged = (name: string, expressions: readonly string[], value: () => string): Attack => ({
  name,
  outcomes: [201, 413, 422],
  seconds: 3,
  flags: policiesOn,
  prepare: async (attacker) => {
    const rule = {operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']};
    const policy = `judged-${attacker.namespace}`;
    const namespaceSelector = {matchExpressions: [{key: 'orch/metadata.name', operator: 'In', values: [attacker.namespace]}]};
    await attacker.make(`${group}/validatingadmissionpolicies`, {
      metadata: {name: policy},
      spec: {matchConstraints: {resourceRules: [rule], namespaceSelector}, validations: expressions.map((expression) => ({expression}))},
    });
    await attacker.make(`${group}/validatingadmissionpolicybindings`, {metadata: {name: policy}, spec: {policyName: policy}});
  },
  run: async (attacker: Attacker) => {
    const body = Buffer.from(JSON.stringify({metadata: {generateName: 'judged-'}, data: {s: value()}}));
    await attacker.repeat(4, 2, () => attacker.call('POST', `${attacker.path('configmaps')}?dryRun=All`, {user: 'builder', body}));
  },
});

/** What expressions do with values that users choose. */
export const expressions = family('expressions', [
  judged('query-in-policy', ['url(object.data.s).getQuery().size() >= 0'], () => `https://h/?${'a&'.repeat(60_000)}`),
  judged('searches-in-policy', ['object.data.s.lastIndexOf("b" + object.data.s.substring(300000)) < 0'], () => 'a'.repeat(600_000)),
  judged('exact-budget-of-policy', [...times(16, '[0,1,2,3,4,5,6,7].all(i, object.data.s != "x")'), 'false'], () => 'y'.repeat(624_924)),
  judged('errors-in-policy', times(20, 'object.data.s.split("").all(x, 1 / 0 == 1 || true)'), () => 'a'.repeat(600_000)),
  objectsOf('query', withSpec(rules(['url(self).getQuery().size() >= 0'])), () => thing(quoted(`https://h/?${'a&'.repeat(400_000)}`))),
  objectsOf('letters', withSpec(rules(times(8, 'self.lowerAscii() == ""'))), () => thing(quoted('aA'.repeat(450_000)))),
  objectsOf('short-matches', withSpec(rules(times(8, 'self.findAll("a").size() < 0'))), () => thing(quoted('a'.repeat(900_000)))),
  objectsOf('backwards', withSpec(rules(times(8, 'self.lastIndexOf("c") > 9000000'))), () => thing(quoted(`😀${'a'.repeat(900_000)}`))),
  objectsOf(
    'zones',
    withSpec({type: 'array', maxItems: 40_000, items: rules(['self.getHours("Asia/Tokyo") >= 0'], {type: 'string', format: 'date-time'})}),
    () => thing(list(() => '"2026-11-23T01:02:03Z"', 800_000)),
  ),
  objectsOf('trivial-rules', withSpec({type: 'array', maxItems: 140_000, items: rules(times(20, 'self >= 0'), {type: 'integer'})}), () =>
    thing(list((number) => String(number % 10), 270_000)),
  ),
  objectsOf(
    'long-messages',
    withSpec({
      type: 'object',
      properties: {u: text},
      'x-kubernetes-validations': Array.from({length: 20}, (_, number) => ({
        rule: `self.u == "${number}"`,
        messageExpression: '"a" + self.u + self.u',
      })),
    }),
    () => thing(`{"u":${quoted('u'.repeat(900_000))}}`),
  ),
  sent('query-of-default', (attacker) =>
    definition(
      attacker,
      'things',
      withSpec({
        type: 'object',
        properties: {s: {...rules(['url(self).getQuery().size() >= 0']), default: `https://h/?${'a&'.repeat(20_000)}`}},
      }),
    ),
  ),
]);
