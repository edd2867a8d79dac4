import {readFileSync} from 'node:fs';
import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {projectRoot} from '../../../helpers/project-root.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {definition, definitionsPath, freshGroup, version, type Json} from './definition-fixture.js';

const log = recordingLogger();
let server: TestServer;
test.before(async () => {
  server = await startTestServer({logger: log.logger});
});
test.after.always(() => server?.stop());

interface TypeSchema {
  readonly definitions: Readonly<Record<string, {readonly properties?: Readonly<Record<string, unknown>>}>>;
}
const {definitions} = JSON.parse(
  readFileSync(`${projectRoot()}/plugins/resources/apiextensions/v1.schema.json`, 'utf8'),
) as unknown as TypeSchema;
/** The members that Kubernetes knows of an object of a type, and what none knows. */
const membersOf = (type: string) => [...Object.keys(definitions[type]!.properties!), '__proto__'];

/** Values that are not expected where they come, some also in lists and as members, and beside what is right. */
const values: readonly unknown[] = [
  ...[null, {}, [], '', 0, false, true, 'x', -1, 1.5],
  ...[null, {}, [], '', 0].flatMap((value) => [[value], {a: value}, {'': value}]),
  [{type: 'string'}, null],
  {a: {type: 'string'}, b: null},
];

const text = (member: string, value: unknown) => `{"type":"object",${JSON.stringify(member)}:${JSON.stringify(value)}}`;
/** Schemas with something at one place, as JSON: `__proto__` has to be a member like others. */
const places: readonly {readonly name: string; readonly of: (member: string, value: unknown) => string}[] = [
  {name: 'in a field', of: (member, value) => `{"type":"object","properties":{"spec":${text(member, value)}}}`},
  {name: 'in items', of: (member, value) => `{"type":"object","properties":{"spec":{"type":"array","items":${text(member, value)}}}}`},
  {name: 'in not', of: (member, value) => `{"type":"object","not":${text(member, value)}}`},
  {name: 'in dependencies', of: (member, value) => `{"type":"object","dependencies":{"d":${text(member, value)}}}`},
];

const marked = '"MARK"';
const post = async (body: string) =>
  server.client.post(`${definitionsPath}?dryRun=All`, Buffer.from(body), {headers: {'content-type': 'application/json'}});

const errors = () => new Set(log.lines.filter(({level}) => level === 'error').map(({fields}) => String(fields['err'])));

for (const {name, of} of places) {
  test(`whatever stands ${name} of a schema is judged, not stumbled over`, async (t) => {
    const base = JSON.stringify(definition(freshGroup(), [version({}, {schema: {openAPIV3Schema: 'MARK'}})]));
    const odd: string[] = [];
    for (const member of membersOf('JSONSchemaProps')) {
      const answers = await Promise.all(values.map(async (value) => [value, await post(base.replace(marked, of(member, value)))] as const));
      for (const [value, {status}] of answers)
        if (![201, 400, 422].includes(status)) odd.push(`${member} ${JSON.stringify(value)}: ${status}`);
    }
    t.deepEqual(odd, []);
    t.deepEqual([...errors()], []);
  });
}

test('whatever stands in a validation rule, a version, the names or another part of a definition is judged', async (t) => {
  const rule = {rule: 'true'};
  const parts: readonly (readonly [type: string, part: Json, within: (part: unknown) => Json])[] = [
    ['ValidationRule', rule, (part) => definition(freshGroup(), [version({type: 'object', 'x-kubernetes-validations': [part]})])],
    ['CustomResourceDefinitionVersion', version(), (part) => definition(freshGroup(), [part as Json])],
    ['CustomResourceDefinitionNames', {plural: 'widgets', kind: 'Widget'}, (names) => definition(freshGroup(), [version()], {names})],
    ['CustomResourceSubresources', {}, (subresources) => definition(freshGroup(), [version(undefined, {subresources})])],
    [
      'CustomResourceSubresourceScale',
      {specReplicasPath: '.spec.a', statusReplicasPath: '.status.a'},
      (scale) => definition(freshGroup(), [version(undefined, {subresources: {scale}})]),
    ],
    [
      'CustomResourceColumnDefinition',
      {name: 'a', type: 'string', jsonPath: '.spec.a'},
      (column) => definition(freshGroup(), [version(undefined, {additionalPrinterColumns: [column]})]),
    ],
    ['SelectableField', {jsonPath: '.spec.a'}, (field) => definition(freshGroup(), [version(undefined, {selectableFields: [field]})])],
    ['CustomResourceConversion', {strategy: 'Webhook'}, (conversion) => definition(freshGroup(), [version()], {conversion})],
    [
      'WebhookConversion',
      {conversionReviewVersions: ['v1']},
      (webhook) => definition(freshGroup(), [version()], {conversion: {strategy: 'Webhook', webhook}}),
    ],
    [
      'WebhookClientConfig',
      {},
      (clientConfig) =>
        definition(freshGroup(), [version()], {
          conversion: {strategy: 'Webhook', webhook: {clientConfig, conversionReviewVersions: ['v1']}},
        }),
    ],
    ['CustomResourceDefinitionSpec', definition(freshGroup())['spec'] as Json, (spec) => ({...definition(freshGroup()), spec})],
    ['CustomResourceDefinitionStatus', {}, (status) => ({...definition(freshGroup()), status})],
  ];
  const odd: string[] = [];
  for (const [type, part, within] of parts) {
    for (const member of membersOf(type)) {
      const answers = await Promise.all(
        values.map(async (value) => [value, await post(JSON.stringify(within({...part, [member]: value})))] as const),
      );
      for (const [value, {status}] of answers)
        if (![201, 400, 422].includes(status)) odd.push(`${type}.${member} ${JSON.stringify(value)}: ${status}`);
    }
  }
  t.deepEqual(odd, []);
  t.deepEqual([...errors()], []);
});
