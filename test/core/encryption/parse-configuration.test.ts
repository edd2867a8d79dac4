import test from 'ava';
import {load} from 'js-yaml';
import {kubernetes as kubernetesNaming} from '../../../core/api/naming/kubernetes.js';
import {orch as orchNaming} from '../../../core/api/naming/orch.js';
import {makeRules} from '../../../core/encryption/encryption-rules.js';
import {parseEncryptionConfiguration} from '../../../core/encryption/parse-configuration.js';

const key = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';

function faultsOf(yaml: string): string[] {
  return parseEncryptionConfiguration(load(yaml), kubernetesNaming).faults.map(({path, text}) => `${path}: ${text}`);
}

test('a configuration with every provider is understood, in both naming profiles', async (t) => {
  const yaml = (group: string) => `
apiVersion: apiserver.config.${group}/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets, configmaps., pandas.awesome.bears.example]
    providers:
      - aescbc: {keys: [{name: key1, secret: ${key(16)}}, {name: key2, secret: ${key(24)}}]}
      - aesgcm: {keys: [{name: key1, secret: ${key(32)}}]}
      - secretbox: {keys: [{name: key1, secret: ${key(32)}}]}
      - identity: {}
  - resources: [events]
    providers: [{identity: {}}]
  - resources: ['*.apps']
    providers: [{aesgcm: {keys: [{name: apps, secret: ${key(32)}}]}}]
  - resources: ['*.*']
    providers: [{secretbox: {keys: [{name: rest, secret: ${key(32)}}]}}]
`;
  for (const [naming, group] of [
    [orchNaming, 'orch'],
    [kubernetesNaming, 'k8s.io'],
  ] as const) {
    const {entries, faults} = parseEncryptionConfiguration(load(yaml(group)), naming);
    t.deepEqual(faults, []);
    const rules = await makeRules(entries);
    const writers = (type: string) => rules.providersOf(type)?.map((provider) => `${provider.name} ${provider.keyName ?? ''}`.trim());
    t.deepEqual(writers('secrets'), ['aescbc key1', 'aescbc key2', 'aesgcm key1', 'secretbox key1', 'identity']);
    t.deepEqual(writers('configmaps'), writers('secrets'));
    t.deepEqual(writers('pandas.awesome.bears.example'), writers('secrets'));
    t.deepEqual(writers('events'), ['identity']);
    t.deepEqual(writers('deployments.apps'), ['aesgcm apps']);
    t.deepEqual(writers('pods'), ['secretbox rest']);
    t.deepEqual(writers('widgets.example.com'), ['secretbox rest']);
  }
});

test('the spelling that was once documented is understood, and so is a wildcard for the core group', async (t) => {
  const {entries, faults} = parseEncryptionConfiguration(
    load(`{apiVersion: v1, kind: EncryptionConfig, resources: [{resources: ['*.'], providers: [{identity: {}}]}]}`),
    kubernetesNaming,
  );
  t.deepEqual(faults, []);
  const rules = await makeRules(entries);
  t.is(rules.providersOf('pods')?.length, 1);
  t.is(rules.providersOf('deployments.apps'), undefined);
});

test('a resource that several entries name is written by the first and read by all', async (t) => {
  const {entries, faults} = parseEncryptionConfiguration(
    load(`${head}resources:
  - {resources: [secrets], providers: [{aesgcm: {keys: [{name: a, secret: ${key(32)}}]}}]}
  - {resources: [secrets], providers: [{identity: {}}]}
`),
    kubernetesNaming,
  );
  t.deepEqual(faults, []);
  t.deepEqual(
    (await makeRules(entries)).providersOf('secrets')?.map(({name}) => name),
    ['aesgcm', 'identity'],
  );
});

test('all faults of a configuration are told at once, and none tells a secret', (t) => {
  const secret = 'c2VjcmV0IHNlY3JldA==';
  const found = faultsOf(`
apiVersion: apiserver.config.orch/v1
kind: Encryption
extra: 1
resources:
  - resources: []
    providers: nothing
  - resources: [Secrets, 'a/b', '*', 7]
    more: {}
    providers:
      - {}
      - {identity: null}
      - {aescbc: {keys: []}, identity: {}}
      - {kms: {name: mine, endpoint: 'unix:///kms.sock'}}
      - aesgcm:
          keys:
            - {name: key1, secret: ${secret}}
            - {name: key1, secret: not base64 at all!}
            - {secret: ${key(32)}, extra: 1}
            - ${secret}
      - secretbox: {keys: [{name: short, secret: ${key(16)}}]}
`);
  t.deepEqual(found, [
    'extra: is not known',
    'apiVersion: must be apiserver.config.k8s.io/v1',
    'kind: must be EncryptionConfiguration',
    'resources[0].resources: must be a list with at least one item',
    'resources[0].providers: must be a list with at least one item',
    'resources[1].more: is not known',
    ...[0, 1].map(
      (index) =>
        `resources[1].resources[${index}]: must be the plural name of a resource, followed by its group unless that is the core group: secrets, deployments.apps, *.apps, *., *.*`,
    ),
    'resources[1].resources[2]: must be *. for all resources of the core group, or *.* for all resources',
    'resources[1].resources[3]: must be a non-empty string',
    'resources[1].providers[0]: must have exactly one of aescbc, aesgcm, secretbox, identity',
    'resources[1].providers[1].identity: must be {}',
    'resources[1].providers[2]: must have exactly one of aescbc, aesgcm, secretbox, identity',
    'resources[1].providers[3].kms: is not supported: use aescbc, aesgcm, secretbox with keys in this file',
    'resources[1].providers[4].aesgcm.keys[0].secret: must be base64 of 16, 24 or 32 bytes, and is of 13',
    'resources[1].providers[4].aesgcm.keys[1].name: is the name of an earlier key of this provider',
    'resources[1].providers[4].aesgcm.keys[1].secret: must be base64, with padding',
    'resources[1].providers[4].aesgcm.keys[2].extra: is not known',
    'resources[1].providers[4].aesgcm.keys[2].name: must be a non-empty string',
    'resources[1].providers[4].aesgcm.keys[3]: must be an object with name, secret',
    'resources[1].providers[5].secretbox.keys[0].secret: must be base64 of 32 bytes, and is of 16',
  ]);
  t.false(found.join('\n').includes(secret));
});

test('what is no configuration at all is refused', (t) => {
  for (const value of ['[]', '7', 'null', '"text"'])
    t.deepEqual(faultsOf(value), [': must be an object with apiVersion, kind, resources'], value);
});

const covered: readonly (readonly [string, string[]])[] = [
  [
    `[{resources: ['*.*'], providers: [{identity: {}}]}, {resources: [secrets], providers: [{identity: {}}]}]`,
    ['resources[1].resources[0]: has no effect beside *.*, which comes earlier and covers it'],
  ],
  [
    `[{resources: ['*.apps'], providers: [{identity: {}}]}, {resources: [deployments.apps], providers: [{identity: {}}]}]`,
    ['resources[1].resources[0]: has no effect beside *.apps, which comes earlier and covers it'],
  ],
  [
    `[{resources: ['*.*'], providers: [{identity: {}}]}, {resources: ['*.'], providers: [{identity: {}}]}]`,
    ['resources[1].resources[0]: has no effect beside *.*, which comes earlier and covers it'],
  ],
  [`[{resources: [secrets, '*.'], providers: [{identity: {}}]}]`, ['resources[0].resources[1]: covers secrets in the same list']],
  [`[{resources: [secrets, secrets.], providers: [{identity: {}}]}]`, ['resources[0].resources[1]: is given twice']],
  [
    `[{resources: ['*.apps'], providers: [{identity: {}}]}, {resources: ['*.apps'], providers: [{identity: {}}]}]`,
    ['resources[1].resources[0]: is given twice'],
  ],
  [
    `[{resources: [secrets], providers: [{identity: {}}]}, {resources: ['*.apps'], providers: [{identity: {}}]}, {resources: ['*.*'], providers: [{identity: {}}]}]`,
    [],
  ],
];

for (const [resources, faults] of covered) {
  test(`${faults.length === 0 ? 'accepted' : 'refused'}: ${resources}`, (t) => {
    t.deepEqual(faultsOf(`${head}resources: ${resources}`), faults);
  });
}
