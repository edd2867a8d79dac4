import test from 'ava';
import {platformGates} from '../../../../core/api/gates/platform-gates.js';
import {createNamingProfile, namingProfileNamed, type CustomNaming} from '../../../../core/api/naming/create-naming-profile.js';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {orch} from '../../../../core/api/naming/orch.js';

const groups: [neutral: string, kubernetes: string][] = [
  ['', ''],
  ['apps', 'apps'],
  ['storage.orch', 'storage.k8s.io'],
  ['meta.orch', 'meta.k8s.io'],
  ['flowcontrol.apiserver.orch', 'flowcontrol.apiserver.k8s.io'],
  ['example.com', 'example.com'],
  ['torch', 'torch'],
  ['my.torch', 'my.torch'],
  ['orch.example.com', 'orch.example.com'],
];
test('groups with the neutral suffix take the suffix of the profile, and back', (t) => {
  for (const [neutral, own] of groups) {
    t.is(kubernetes.group(neutral), own);
    t.is(kubernetes.neutralGroup(own), neutral);
    t.is(orch.group(neutral), neutral);
    t.is(orch.neutralGroup(neutral), neutral);
  }
});

const keys: [neutral: string, kubernetes: string][] = [
  ['orch/metadata.name', 'kubernetes.io/metadata.name'],
  ['bootstrap.orch/token', 'bootstrap.kubernetes.io/token'],
  ['scheduler.alpha.orch/node-selector', 'scheduler.alpha.kubernetes.io/node-selector'],
  ['volume.beta.orch/storage-class', 'volume.beta.kubernetes.io/storage-class'],
  ['apf.orch/autoupdate-spec', 'apf.kubernetes.io/autoupdate-spec'],
  ['orch/service-account-token', 'kubernetes.io/service-account-token'],
  ['orch/initial-events-end', 'k8s.io/initial-events-end'],
  ['orch/deprecated', 'k8s.io/deprecated'],
  ['authorization.orch/decision', 'authorization.k8s.io/decision'],
  ['authentication.orch/pod-name', 'authentication.k8s.io/pod-name'],
  ['mutation.webhook.admission.orch/round_0_index_0', 'mutation.webhook.admission.k8s.io/round_0_index_0'],
  ['alpha.image-policy.orch/failed-open', 'alpha.image-policy.k8s.io/failed-open'],
  ['gold.storageclass.storage.orch/requests.storage', 'gold.storageclass.storage.k8s.io/requests.storage'],
  ['rbac.authorization.orch/aggregate-to-admin', 'rbac.authorization.k8s.io/aggregate-to-admin'],
  ['rbac.authorization.orch/autoupdate', 'rbac.authorization.kubernetes.io/autoupdate'],
  ['api-approved.orch', 'api-approved.kubernetes.io'],
  ['orch/apiserver-client', 'kubernetes.io/kube-apiserver-client'],
  ['orch/apiserver-client-nodeagent', 'kubernetes.io/kube-apiserver-client-kubelet'],
  ['orch/nodeagent-serving', 'kubernetes.io/kubelet-serving'],
  ['orch/legacy-unknown', 'kubernetes.io/legacy-unknown'],
  ['app', 'app'],
  ['orch', 'orch'],
  ['example.com/orch', 'example.com/orch'],
  ['torch/a', 'torch/a'],
  ['Opaque', 'Opaque'],
];
test('reserved keys take the prefix of the profile, or its group suffix where they are named after a group, and back', (t) => {
  for (const [neutral, own] of keys) {
    t.is(kubernetes.key(neutral), own);
    t.is(kubernetes.neutralKey(own), neutral);
    t.is(orch.key(neutral), neutral);
    t.is(orch.neutralKey(neutral), neutral);
  }
});

test('a key that the profile would not make is left alone on the way back', (t) => {
  t.is(kubernetes.neutralKey('authorization.kubernetes.io/decision'), 'authorization.kubernetes.io/decision');
  t.is(kubernetes.neutralKey('k8s.io/metadata.name'), 'k8s.io/metadata.name');
  t.is(kubernetes.neutralKey('orch/x'), 'orch/x');
});

test('the shipped profiles are found by name', (t) => {
  t.is(namingProfileNamed('orch'), orch);
  t.is(namingProfileNamed('kubernetes'), kubernetes);
  t.is(namingProfileNamed('constructor'), undefined);
});

test('gates that the documents call alpha are off under orch and as in release 1.26 under kubernetes', (t) => {
  const [ours, theirs] = [orch, kubernetes].map(({featureGates}) => platformGates('1.26', featureGates));
  for (const gate of [
    'CustomResourceValidationExpressions',
    'MaxUnavailableStatefulSet',
    'StatefulSetAutoDeletePVC',
    'StatefulSetStartOrdinal',
  ])
    t.like(ours!.get(gate), {enabled: false, setting: 'free'}, gate);
  t.true(ours!.get('ServerSideFieldValidation')!.enabled);
  t.true(theirs!.get('CustomResourceValidationExpressions')!.enabled);
  t.false(theirs!.get('StatefulSetStartOrdinal')!.enabled);
  t.true(ours!.get('CustomResourceFieldSelectors')!.enabled);
  t.false(theirs!.get('CustomResourceFieldSelectors')!.enabled);
});

test('a custom profile follows from three names', (t) => {
  const profile = createNamingProfile({name: 'acme', groupSuffix: 'acme.dev', keyPrefix: 'acme.example'});
  t.is(profile.group('storage.orch'), 'storage.acme.dev');
  t.is(profile.key('orch/x'), 'acme.example/x');
  t.is(profile.key('authorization.orch/decision'), 'authorization.acme.dev/decision');
  t.is(profile.neutralKey('acme.example/x'), 'orch/x');
  t.is(profile.key('orch/apiserver-client'), 'acme.example/apiserver-client');
  t.is(profile.signers['legacy-unknown'], 'acme.example/legacy-unknown');
  t.is(profile.protobufMediaType, 'application/vnd.acme.protobuf');
  t.deepEqual(
    [profile.systemNamespace, profile.publicNamespace, profile.nodeLeaseNamespace],
    ['acme-system', 'acme-public', 'acme-node-lease'],
  );
  t.deepEqual(profile.featureGates, orch.featureGates);
  t.true(Object.isFrozen(profile));
});

test('a custom profile may decide everything', (t) => {
  const profile = createNamingProfile({
    name: 'acme',
    groupSuffix: 'acme',
    keyPrefix: 'acme',
    protobufMediaType: 'application/x-acme',
    systemNamespace: 's',
    publicNamespace: 'p',
    nodeLeaseNamespace: 'l',
    signers: {'legacy-unknown': 'old/legacy'},
    featureGates: {ServerSideFieldValidation: false},
    keys: {'orch/initial-events-end': 'k8s.io/initial-events-end'},
  });
  t.is(profile.key('orch/initial-events-end'), 'k8s.io/initial-events-end');
  t.is(profile.neutralKey('k8s.io/initial-events-end'), 'orch/initial-events-end');
  t.is(profile.key('orch/legacy-unknown'), 'old/legacy');
  t.is(profile.key('orch/apiserver-client'), 'acme/apiserver-client');
  t.false(profile.featureGates.ServerSideFieldValidation);
});

const faults: [profile: unknown, problems: RegExp[]][] = [
  [null, [/must be an object/]],
  [{}, [/name: is required/, /groupSuffix: is required/, /keyPrefix: is required/]],
  [
    {name: 'a', groupSuffix: 1, keyPrefix: 'a', signers: [], featureGates: {X: 'yes'}, sufix: 'x'},
    [
      /groupSuffix: must be a string/,
      /signers: must be a map of strings/,
      /featureGates: must be a map of booleans/,
      /sufix: unknown member/,
    ],
  ],
  [
    {
      name: 'A b',
      groupSuffix: '.x',
      keyPrefix: 'x/',
      protobufMediaType: 'text/plain; a=b',
      systemNamespace: 'a.b',
      signers: {unknown: 'x/y', 'legacy-unknown': 'x'},
      keys: {a: 'x', b: 'x'},
    },
    [
      /name: a lowercase/,
      /groupSuffix: a lowercase/,
      /keyPrefix: a lowercase/,
      /protobufMediaType: must be/,
      /systemNamespace: must not contain dots/,
      /signers.unknown: unknown signer; there are apiserver-client/,
      /signers.legacy-unknown: must have the form/,
      /keys: two keys/,
    ],
  ],
  [{name: 'kubernetes', groupSuffix: 'a', keyPrefix: 'a'}, [/name: kubernetes is a shipped profile/]],
];
for (const [profile, problems] of faults) {
  test(`the profile ${JSON.stringify(profile)} is refused with all its faults`, (t) => {
    const error = t.throws(() => createNamingProfile(profile as CustomNaming), {message: /^naming profile: /});
    for (const problem of problems) t.regex(error.message, problem);
  });
}
