import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {answer, webhookService} from '../../helpers/webhook-service.js';

const version = 'admissionregistration.k8s.io/v1';
const group = 'apiserver.config.k8s.io';
const configMaps = '/api/v1/namespaces/default/configmaps';
const hooks = `/apis/${version}/validatingwebhookconfigurations`;

const policy = (name: string, more: object = {}) => ({
  apiVersion: version,
  kind: 'ValidatingAdmissionPolicy',
  metadata: {name},
  spec: {
    matchConstraints: {
      resourceRules: [
        {apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['configmaps', 'validatingwebhookconfigurations']},
      ],
    },
    validations: [{expression: `!object.metadata.name.startsWith('bad')`, message: `${name} says no`}],
    ...more,
  },
});
const binding = (name: string, policyName: string, more: object = {}) => ({
  apiVersion: version,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: {name},
  spec: {policyName, validationActions: ['Deny'], ...more},
});
const named = (object: object) => JSON.stringify(object);
const configMap = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}});

const configurationKinds: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'ValidatingAdmissionPolicyConfiguration',
  MutatingAdmissionPolicy: 'MutatingAdmissionPolicyConfiguration',
  ValidatingAdmissionWebhook: 'WebhookAdmissionConfiguration',
  MutatingAdmissionWebhook: 'WebhookAdmissionConfiguration',
};

/** A folder with these files. */
function folderWith(t: ExecutionContext, files: Readonly<Record<string, string>>): string {
  const folder = tempFolder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A server whose admission controllers read these folders. */
async function serverWith(t: ExecutionContext, folders: Readonly<Record<string, unknown>>, isGateOn = true): Promise<TestServer> {
  const file = join(tempFolder(t), 'admission.json');
  const plugins = Object.entries(folders).map(([name, staticManifestsDir]) => ({
    name,
    configuration: {apiVersion: `${group}/v1`, kind: configurationKinds[name], staticManifestsDir},
  }));
  writeFileSync(file, JSON.stringify({apiVersion: `${group}/v1`, kind: 'AdmissionConfiguration', plugins}));
  const server = await startTestServer({
    platform: 'kubernetes',
    release: '1.36',
    controllers: ['flow-control'],
    featureGates: {ManifestBasedAdmissionControlConfig: isGateOn},
    ...(plugins.length === 0 ? {} : {admissionControlConfigFile: file}),
  });
  t.teardown(() => server.stop());
  return server;
}

test('policies and webhooks from files are in force from the first request, before those of the API, and for configurations of admission too [B-STATIC-1] [B-STATIC-2]', async (t) => {
  const asked: string[] = [];
  const service = await webhookService(t, (body, response) => {
    const {apiVersion, request} = JSON.parse(body) as {apiVersion: string; request: {uid: string; name: string}};
    asked.push(request.name);
    answer(response, {
      apiVersion,
      kind: 'AdmissionReview',
      response: {uid: request.uid, allowed: !request.name.startsWith('hooked'), status: {message: 'hooked'}},
    });
  });
  const hook = {
    name: 'check.example.com',
    clientConfig: {url: service.url, caBundle: Buffer.from(service.ca).toString('base64')},
    rules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps']}],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const changed = {
    apiVersion: version,
    kind: 'MutatingAdmissionPolicy',
    metadata: {name: 'label.static.k8s.io'},
    spec: {
      matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps']}]},
      reinvocationPolicy: 'Never',
      mutations: [
        {patchType: 'ApplyConfiguration', applyConfiguration: {expression: `Object{metadata: Object.metadata{labels: {'from': 'file'}}}`}},
      ],
    },
  };
  const server = await serverWith(t, {
    ValidatingAdmissionPolicy: folderWith(t, {
      'b.yaml': `---\n${named(policy('z-deny.static.k8s.io'))}\n---\n\n`,
      'a.json': named({apiVersion: 'v1', kind: 'List', items: [binding('bind.static.k8s.io', 'z-deny.static.k8s.io')]}),
      'ignored.txt': 'nothing',
    }),
    MutatingAdmissionPolicy: folderWith(t, {
      'a.yaml': named(changed),
      'b.yaml': named({
        apiVersion: version,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata: {name: 'b.static.k8s.io'},
        spec: {policyName: 'label.static.k8s.io'},
      }),
    }),
    ValidatingAdmissionWebhook: folderWith(t, {
      'a.json': named({
        apiVersion: version,
        kind: 'ValidatingWebhookConfiguration',
        metadata: {name: 'hook.static.k8s.io'},
        webhooks: [hook],
      }),
    }),
  });
  const {client} = server;
  const made = await client.post(configMaps, configMap('good'));
  t.is(made.status, 201);
  t.deepEqual(made.json<{metadata: {labels: object}}>().metadata.labels, {from: 'file'});
  await client.post(`/apis/${version}/validatingadmissionpolicies`, policy('a-deny'));
  await client.post(`/apis/${version}/validatingadmissionpolicybindings`, binding('bind', 'a-deny'));
  const refusal = async (name: string) => (await client.post(configMaps, configMap(name))).json<{message: string}>().message;
  await eventually(
    () => refusal('bad-1'),
    (message) => message.includes('z-deny.static.k8s.io says no'),
  );
  t.regex(
    (await client.post(configMaps, configMap('hooked'))).json<{message: string}>().message,
    /admission webhook "check.example.com" denied the request: hooked/,
  );
  t.true(asked.includes('good'));
  const self = await client.post(hooks, {
    apiVersion: version,
    kind: 'ValidatingWebhookConfiguration',
    metadata: {name: 'bad'},
    webhooks: [],
  });
  t.is(self.status, 422);
  t.regex(self.json<{message: string}>().message, /z-deny\.static\.k8s\.io/);
  t.is((await client.get(`/apis/${version}/validatingadmissionpolicies/z-deny.static.k8s.io`)).status, 404);
});

test('names of files are refused in the API where the gate is on, and warned of where it is off [B-STATIC-3]', async (t) => {
  const text = 'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';
  const object = {apiVersion: version, kind: 'ValidatingWebhookConfiguration', metadata: {name: 'mine.static.k8s.io'}, webhooks: []};
  const on = await serverWith(t, {});
  const refused = await on.client.post(hooks, object);
  t.is(refused.status, 422);
  t.is(
    refused.json<{message: string}>().message,
    `ValidatingWebhookConfiguration.admissionregistration.k8s.io "mine.static.k8s.io" is invalid: metadata.name: Invalid value: "mine.static.k8s.io": ${text}`,
  );
  const off = await serverWith(t, {}, false);
  const made = await off.client.post(hooks, object);
  t.is(made.status, 201);
  t.is(made.headers['warning'], `299 - ${JSON.stringify(`metadata.name: ${text}`)}`);
});

test('changes of files are followed; what cannot be used changes nothing, and is counted [B-STATIC-4]', async (t) => {
  const folder = folderWith(t, {
    'a.yaml': named(policy('one.static.k8s.io')),
    'b.yaml': named(binding('one.static.k8s.io', 'one.static.k8s.io')),
  });
  const {client} = await serverWith(t, {ValidatingAdmissionPolicy: folder});
  const messageOf = async () => (await client.post(`${configMaps}?dryRun=All`, configMap('bad'))).json<{message?: string}>().message ?? '';
  t.regex(await messageOf(), /one\.static\.k8s\.io says no/);
  // A file takes the place of another at once, as tools that keep configurations do it.
  const replace = (name: string, text: string) => {
    writeFileSync(join(folder, 'new.tmp'), text);
    renameSync(join(folder, 'new.tmp'), join(folder, name));
  };
  replace('a.yaml', named(policy('one.static.k8s.io', {validations: [{expression: 'false', message: 'something else'}]})));
  await eventually(messageOf, (message) => message.includes('something else'));
  replace('a.yaml', named(policy('one.static.k8s.io', {validations: [{expression: 'nonsense('}]})));
  const count = async (status: string) =>
    Number(
      new RegExp(
        `^apiserver_manifest_admission_config_controller_automatic_reloads_total\\{status="${status}",plugin="ValidatingAdmissionPolicy",.*\\} (\\d+)$`,
        'm',
      ).exec((await client.get('/metrics')).body.toString())?.[1] ?? 0,
    );
  await eventually(
    () => count('failure'),
    (failures) => failures === 1,
  );
  t.regex(await messageOf(), /something else/);
  t.is(await count('success'), 2);
  for (const name of ['a.yaml', 'b.yaml']) rmSync(join(folder, name));
  await eventually(messageOf, (message) => message === '');
  t.regex(
    (await client.get('/metrics')).body.toString(),
    /last_config_info\{plugin="ValidatingAdmissionPolicy",apiserver_id_hash="sha256:[0-9a-f]{64}",hash=""\} 1/,
  );
});

const valid = policy('one.static.k8s.io');
const faults: readonly (readonly [about: string, files: Readonly<Record<string, string>>, message: RegExp])[] = [
  [
    'a name of another kind',
    {'a.yaml': named(policy('one'))},
    /error loading .*a\.yaml: "one" in file ".*a\.yaml" must have a name ending with "\.static\.k8s\.io"/,
  ],
  [
    'no name',
    {'a.yaml': named({...valid, metadata: {}})},
    /error loading .*a\.yaml: ValidatingAdmissionPolicy "": metadata\.name: Required value: name or generateName is required/,
  ],
  [
    'a name twice',
    {'a.yaml': named(valid), 'b.yaml': named(valid)},
    /duplicate name "one\.static\.k8s\.io" found in file ".*b\.yaml" \(previously seen in ".*a\.yaml"\)/,
  ],
  [
    'params',
    {'a.yaml': named(policy('one.static.k8s.io', {paramKind: {apiVersion: 'v1', kind: 'ConfigMap'}}))},
    /ValidatingAdmissionPolicy "one\.static\.k8s\.io": spec\.paramKind is not supported for static manifests/,
  ],
  [
    'an expression that is none',
    {'a.yaml': named(policy('one.static.k8s.io', {validations: [{expression: 'nonsense('}]}))},
    /ValidatingAdmissionPolicy "one\.static\.k8s\.io": spec\.validations\[0\]\.expression: Invalid value: "nonsense\(": compilation failed/,
  ],
  [
    'an unknown field',
    {'a.yaml': named({...valid, spec: {...valid.spec, more: 1}})},
    /error loading .*a\.yaml: strict decoding error: unknown field "spec\.more"/,
  ],
  [
    'a binding without its policy',
    {'a.yaml': named(binding('b.static.k8s.io', 'none.static.k8s.io'))},
    /binding "b\.static\.k8s\.io" references policy "none\.static\.k8s\.io" which does not exist in the manifest directory/,
  ],
  [
    'a binding to a policy of the API',
    {'a.yaml': named(binding('b.static.k8s.io', 'one'))},
    /binding "b\.static\.k8s\.io": spec\.policyName "one" must end with "\.static\.k8s\.io"/,
  ],
  [
    'another kind',
    {'a.yaml': named({apiVersion: version, kind: 'MutatingAdmissionPolicy', metadata: {name: 'a.static.k8s.io'}})},
    /unsupported resource type \*v1\.MutatingAdmissionPolicy/,
  ],
  ['a kind of another group', {'a.yaml': named(configMap('a.static.k8s.io'))}, /no kind "ConfigMap" is registered for version "v1"/],
  ['no object', {'a.yaml': '[1]'}, /Object 'Kind' is missing in '\[1\]'/],
  ['no YAML', {'a.yaml': 'a: [1'}, /error loading .*a\.yaml: /],
];
for (const [about, files, message] of faults) {
  test(`a server does not start with ${about} in a folder of policies [B-STATIC-5]`, async (t) => {
    const folder = folderWith(t, files);
    const {message: found} = (await t.throwsAsync(serverWith(t, {ValidatingAdmissionPolicy: folder})))!;
    t.true(found.includes('failed to load static policy manifests from '), found);
    t.regex(found, message);
  });
}

test('a webhook from a file names its address, and no service [B-STATIC-5]', async (t) => {
  const webhook = {
    name: 'a.example.com',
    rules: [],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: {service: {name: 'a', namespace: 'b'}},
  };
  const files = {
    'a.yaml': named({apiVersion: version, kind: 'MutatingWebhookConfiguration', metadata: {name: 'a.static.k8s.io'}, webhooks: [webhook]}),
  };
  await t.throwsAsync(serverWith(t, {MutatingAdmissionWebhook: folderWith(t, files)}), {
    message:
      /webhook "a\.example\.com" in "a\.static\.k8s\.io" \(file ".*a\.yaml"\): clientConfig\.service is not supported for static manifests; use clientConfig\.url instead/,
  });
});

test('the folder must be there, be named in full, and be allowed by the gate [B-STATIC-6]', async (t) => {
  const folder = folderWith(t, {'a.txt': ''});
  for (const [given, isGateOn, message] of [
    ['relative', true, /staticManifestsDir: Invalid value: "relative": must be an absolute file path/],
    [join(folder, 'none'), true, /staticManifestsDir: Invalid value: ".*none": unable to read: /],
    [join(folder, 'a.txt'), true, /staticManifestsDir: Invalid value: ".*a\.txt": must be a directory/],
    [
      folder,
      false,
      /staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled/,
    ],
  ] as const) {
    for (const name of ['ValidatingAdmissionPolicy', 'MutatingAdmissionWebhook'])
      await t.throwsAsync(serverWith(t, {[name]: given}, isGateOn), {message}, name);
  }
});
