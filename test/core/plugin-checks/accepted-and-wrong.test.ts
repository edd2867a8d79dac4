import test from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createServer} from '@orch-api/orch';
import {defineAdmission, definePlugin, defineResource, type PluginDefinition} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const properties = (spec: object) => ({type: 'object', properties: {spec: {type: 'object', properties: spec}}});
const good = properties({size: {type: 'integer', minimum: 1}, name: {type: 'string'}});

function boxes(version: object, type: object = {}): PluginDefinition {
  return definePlugin({name: 'boxes'}, [
    defineResource({
      group: 'boxes.example.com',
      names: {plural: 'boxes', singular: 'box', kind: 'Box'},
      scope: 'Namespaced',
      versions: [{name: 'v1', schema: good, ...version}],
      ...type,
    }),
  ]);
}

function policy(options: object): PluginDefinition {
  const admission = {name: 'Policy', operations: ['CREATE' as const], create: () => ({validate: () => undefined}), ...options};
  return definePlugin({name: 'box-policy'}, [defineAdmission(admission)]);
}

/** What is wrong, and what the start says of it; all of these were accepted once. */
const faults: readonly (readonly [what: string, plugin: PluginDefinition, message: RegExp])[] = [
  ['a reference to nowhere', boxes({schema: properties({size: {$ref: '#/definitions/Nothing'}})}), /schema.*cannot be used.*Nothing/],
  [
    'a type that there is not',
    boxes({schema: properties({size: {type: 'objekt'}})}),
    /must be one of "object".*versions\[0\]\.schema\.properties\.spec\.properties\.size\.type/,
  ],
  [
    'a misspelled keyword',
    boxes({schema: {type: 'object', propertys: {}}}),
    /is not a known member; did you mean properties\? .*schema\.propertys/,
  ],
  [
    'a misspelled extension of Kubernetes',
    boxes({schema: properties({sizes: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-typze': 'set'}})}),
    /is not a known member; did you mean x-kubernetes-list-type\? .*sizes\.x-kubernetes-list-typze/,
  ],
  ['a bound that is a text', boxes({schema: properties({size: {type: 'integer', minimum: '1'}})}), /must be of type number .*minimum/],
  [
    'a place without a type',
    boxes({schema: properties({size: {minimum: 1}})}),
    /Required value: must not be empty for specified object fields .*schema\.properties\[spec\]\.properties\[size\]\.type/,
  ],
  ['a default of another type', boxes({schema: properties({size: {type: 'integer', default: 'large'}})}), /default/],
  ['a default that breaks a bound', boxes({schema: properties({size: {type: 'integer', minimum: 5, default: 1}})}), /default/],
  ['a pattern that is none', boxes({schema: properties({name: {type: 'string', pattern: '('}})}), /pattern/],
  [
    'a rule that does not compile',
    boxes({schema: {...good, 'x-kubernetes-validations': [{rule: 'self.spec.sise > 1'}]}}),
    /undefined field 'sise'[^]*x-kubernetes-validations/,
  ],
  [
    'a rule that costs too much',
    boxes({
      schema: properties({
        all: {
          type: 'array',
          items: {type: 'string'},
          'x-kubernetes-validations': [{rule: 'self.all(a, self.all(b, self.all(c, a + b != c)))'}],
        },
      }),
    }),
    /cost|budget/i,
  ],
  [
    'a path of a column',
    boxes({printerColumns: [{name: 'Size', type: 'integer', jsonPath: '.spec.size['}]}),
    /printerColumns\[0\]\.jsonPath/,
  ],
  ['a column that nobody computes', boxes({printerColumns: [{name: 'Size', type: 'integer'}]}), /no `jsonPath`, and there is no strategy/],
  [
    'a scale path outside of the schema',
    boxes({subresources: {status: {}, scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'}}}),
    /names \.spec\.replicas, which the schema does not have .*scale\.specReplicasPath/,
  ],
  [
    'a scale path to a text',
    boxes({subresources: {scale: {specReplicasPath: '.spec.name', statusReplicasPath: '.status.replicas'}}}),
    /must lead to an integer, not to a string/,
  ],
  [
    'a selectable field that there is not',
    boxes({selectableFields: ['spec.colour']}),
    /does not refer to a valid field .*selectableFields\[0\]/,
  ],
  ['a subresource that nobody serves', boxes({subresources: {paint: {}}}), /would not be served: it needs `handler`.*subresources\.paint/],
  [
    'two protobuf fields of one number',
    boxes({schema: properties({size: {type: 'integer', 'x-orch-field': 1}, name: {type: 'string', 'x-orch-field': 0}})}),
    /x-orch-field/,
  ],
  [
    'an endpoint that there is not',
    boxes({}, {behaviour: {resetFields: {mian: ['status']}}}),
    /is no endpoint of the type; there are main .*resetFields\.mian/,
  ],
  [
    'a subresource behind the group',
    policy({resources: ['backups.backups.example.com/scale']}),
    /names "backups\.backups\.example\.com\/scale".*did you mean backups\/scale\.backups\.example\.com\?/,
  ],
  [
    'a resource that nobody serves',
    policy({resources: ['deploymens.apps']}),
    /names deploymens\.apps, which no plugin serves; did you mean deployments\.apps\?/,
  ],
];

for (const [what, plugin, message] of faults) {
  test(`${what} keeps the server from starting`, async (t) => {
    const error = await t.throwsAsync(startTestServer({plugins: [plugin]}));
    t.regex(error!.message, /plugin (boxes|box-policy): /);
    t.regex(error!.message, message);
  });
}

test('a policy for resources that may be defined later is accepted', async (t) => {
  const server = await createServer({plugins: [policy({resources: ['backups/scale.later.example.com']})], store: 'memory', securePort: 0});
  t.truthy(server);
});

test('what several definitions of a file share by reference, and one that contains itself, are accepted', async (t) => {
  const tree = {type: 'object', properties: {name: {type: 'string', minLength: 1}}};
  t.truthy(await createServer({plugins: [boxes({schema: properties({tree})})], store: 'memory'}));
});

test('a schema file that leaves out group and version has those of the manifest', async (t) => {
  const folder = tempFolder(t);
  const definitions = {Box: properties({size: {$ref: '#/definitions/Size'}}), Size: {type: 'integer', minimum: 1}};
  writeFileSync(join(folder, 'boxes.json'), JSON.stringify({definitions}));
  const plugin = {...boxes({schema: 'boxes.json#/definitions/Box'}), folder};
  const server = await startTestServer({plugins: [plugin]});
  t.teardown(() => server.stop());
  const document = await server.client.get('/openapi/v3/apis/boxes.example.com/v1');
  const {components} = document.json<{components: {schemas: Record<string, unknown>}}>();
  t.true(Object.keys(components.schemas).includes('com.example.boxes.v1.Size'));
});

test('a server that knows nobody, or lets nobody do anything, says so at its start', async (t) => {
  const {logger, lines} = recordingLogger();
  const server = await createServer({
    store: 'memory',
    securePort: 0,
    onlyPlugins: ['core', 'store-*'],
    dataDir: tempFolder(t),
    logger,
    controllers: [],
  });
  await server.start();
  await server.stop();
  const warnings = lines.filter(({level}) => level === 'warn').map(({message}) => message);
  t.true(
    warnings.some((text) => text.includes('every request gets 401')),
    warnings.join('; '),
  );
  t.true(warnings.some((text) => text.includes('every request gets 403')));
});
