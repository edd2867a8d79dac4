import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {gatesAtRelease} from '../../core/api/gates/gates-at-release.js';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {createServer} from '@orch-api/orch';
import type {JsonObject} from '@orch-api/orch/sdk';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';
import {answer} from './answers.js';

/** A pod with a field that came in 1.27. */
const resizable = {
  metadata: {name: 'resizable', namespace: 'default'},
  spec: {
    containers: [{name: 'main', image: 'main:1', resizePolicy: [{resourceName: 'cpu', restartPolicy: 'NotRequired'}]}],
  },
};

const at = (release: string): Promise<TestServer> => startTestServer({platform: 'kubernetes', release});

async function propertiesAt(server: TestServer, path: string, definition: string): Promise<readonly string[]> {
  const document = (await server.client.get(path)).json<{components: {schemas: Record<string, {properties: JsonObject}>}}>();
  return Object.keys(document.components.schemas[definition]!.properties);
}

const naming = {name: 'acme', base: 'kubernetes', groupSuffix: 'acme.example', keyPrefix: 'acme.example'} as const;

for (const {title, options, minor} of [
  {title: 'with the release 1.26', options: {platform: 'kubernetes', release: '1.26'}, minor: '26'},
  {title: 'with the release 1.30', options: {platform: 'kubernetes', release: '1.30'}, minor: '30'},
  {title: 'with the release 1.36', options: {release: '1.36'}, minor: '36'},
  {title: 'without a release', options: {}, minor: '26'},
  {title: 'of the platform kubernetes', options: {platform: 'kubernetes'}, minor: '36'},
  {title: 'of the platform kubernetes by its configuration', options: {configuration: {platform: 'kubernetes'}}, minor: '36'},
  {title: 'with the profile of plugins kubernetes', options: {pluginProfile: 'kubernetes'}, minor: '36'},
  {
    title: 'of the platform kubernetes, configured to 1.30',
    options: {platform: 'kubernetes', configuration: {release: '1.30'}},
    minor: '30',
  },
  {title: 'of a platform of its own', options: {configuration: {naming}}, minor: '26'},
]) {
  test.serial(`a server ${title} answers /version with 1.${minor}`, async (t) => {
    await using server = await startTestServer(options);
    const version = answer<{major: string; minor: string; gitVersion: string}>(t, await server.client.get('/version'), 200);
    t.is(version.major, '1');
    t.is(version.minor, minor);
    t.true(version.gitVersion.startsWith(`v1.${minor}.`), version.gitVersion);
  });
}

test.serial('a store of the release before is taken over by the default of the platform kubernetes without a question', async (t) => {
  const options = {platform: 'kubernetes', store: 'embedded', dataDir: tempFolder(t, 'orch-taken-over-')} as const;
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
  const spec = {scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'}, maxReplicas: 3};
  {
    await using before = await startTestServer({...options, release: '1.26'});
    answer(t, await before.client.post(path, {metadata: {name: 'web'}, spec}), 201);
  }
  await using server = await startTestServer(options);
  t.is(answer<{spec: typeof spec}>(t, await server.client.get(`${path}/web`), 200).spec.maxReplicas, 3);
  t.is(answer<{minor: string}>(t, await server.client.get('/version'), 200).minor, '36');
});

test.serial('a field that came in 1.27 is unknown to a server of 1.26: refused if fields are checked strictly, else dropped', async (t) => {
  await using server = await at('1.26');
  const refused = await server.client.post('/api/v1/namespaces/default/pods?fieldValidation=Strict', resizable);
  t.is(refused.status, 400);
  t.regex(refused.json<{message: string}>().message, /unknown field "spec\.containers\[0\]\.resizePolicy"/);
  const kept = answer<typeof resizable>(t, await server.client.post('/api/v1/namespaces/default/pods', resizable), 201);
  t.false('resizePolicy' in kept.spec.containers[0]!);
  t.false((await propertiesAt(server, '/openapi/v3/api/v1', 'io.k8s.api.core.v1.Container')).includes('resizePolicy'));
});

test.serial('a server of 1.36 keeps and publishes a field that came in 1.27, and reads it from the binary form', async (t) => {
  await using server = await at('1.36');
  const path = '/api/v1/namespaces/default/pods';
  const made = answer<typeof resizable>(t, await server.client.post(`${path}?fieldValidation=Strict`, resizable), 201);
  t.deepEqual(made.spec.containers[0]!.resizePolicy, resizable.spec.containers[0]!.resizePolicy);
  t.true((await propertiesAt(server, '/openapi/v3/api/v1', 'io.k8s.api.core.v1.Container')).includes('resizePolicy'));
  const headers = {accept: 'application/vnd.kubernetes.protobuf'};
  const binary = await server.client.get(`${path}/resizable`, {headers});
  t.is(binary.status, 200);
  t.true(binary.body.includes('NotRequired'));
  const again = await server.client.put(`${path}/resizable`, binary.body, {
    headers: {'content-type': 'application/vnd.kubernetes.protobuf'},
  });
  t.deepEqual(answer<typeof resizable>(t, again, 200).spec.containers[0]!.resizePolicy, resizable.spec.containers[0]!.resizePolicy);
});

for (const release of ['1.25', '1.37', '1.3', 'v1.30', '1.30.1', '']) {
  test.serial(`${JSON.stringify(release)} is no release that a server can serve`, async (t) => {
    await t.throwsAsync(createServer({release}), {
      message: `the release must be one from 1.26 to 1.36, written as 1.30, not ${JSON.stringify(release)}`,
    });
  });
}

for (const {release, gates, problem} of [
  {release: '1.26', gates: ['SidecarContainers=true'], problem: /there is no feature gate SidecarContainers/},
  {
    release: '1.33',
    gates: ['SidecarContainers=false'],
    problem: /cannot set feature gate SidecarContainers to false, feature is locked to true/,
  },
  {release: '1.30', gates: ['CronJobTimeZone=true'], problem: /there is no feature gate CronJobTimeZone/},
  {release: '1.30', gates: ['SidecarContainers=false'], problem: undefined},
  {release: '1.26', gates: ['CronJobTimeZone=true'], problem: undefined},
]) {
  test.serial(
    `with the release ${release}, --feature-gates=${gates.join()} is ${problem === undefined ? 'taken' : 'refused'}`,
    async (t) => {
      const made = createServer({platform: 'kubernetes', release, featureGates: gates, store: 'memory'});
      if (problem === undefined) await t.notThrowsAsync(made);
      else await t.throwsAsync(made, {message: problem});
    },
  );
}

const withoutGate = {metadata: {name: 'plain', namespace: 'default'}, spec: {containers: [{name: 'main', image: 'main:1'}]}};

test.serial('a field whose feature gate is off is dropped from a new object, and kept in one that has it', async (t) => {
  const dataDir = tempFolder(t, 'orch-gates-');
  const path = '/api/v1/namespaces/default/pods';
  const policies = (pod: typeof resizable) => pod.spec.containers[0]!.resizePolicy;
  const start = (gate: boolean) =>
    startTestServer({
      platform: 'kubernetes',
      release: '1.30',
      store: 'embedded',
      dataDir,
      featureGates: {InPlacePodVerticalScaling: gate},
    });
  {
    await using on = await start(true);
    t.truthy(policies(answer(t, await on.client.post(path, resizable), 201)));
    answer(t, await on.client.post(path, withoutGate), 201);
  }
  await using off = await start(false);
  const again = {...resizable, metadata: {...resizable.metadata, name: 'again'}};
  t.falsy(policies(answer(t, await off.client.post(`${path}?fieldValidation=Strict`, again), 201)));
  const label = {metadata: {labels: {seen: 'true'}}};
  t.truthy(policies(answer(t, await off.client.patch(`${path}/resizable`, label, 'application/merge-patch+json'), 200)));
  const {resizePolicy} = resizable.spec.containers[0]!;
  const given = [{op: 'add', path: '/spec/containers/0/resizePolicy', value: resizePolicy}];
  t.falsy(policies(answer(t, await off.client.patch(`${path}/plain`, given, 'application/json-patch+json'), 200)));
});

test.serial('what a newer release stored is read by a server of an older one, without the fields that it does not know', async (t) => {
  const dataDir = tempFolder(t, 'orch-older-');
  const path = '/api/v1/namespaces/default/pods/resizable';
  const start = (release: string) =>
    startTestServer({platform: 'kubernetes', release, store: 'embedded', dataDir, allowOlderRelease: true});
  {
    await using newer = await start('1.36');
    answer(t, await newer.client.post('/api/v1/namespaces/default/pods', resizable), 201);
  }
  {
    await using older = await start('1.26');
    const pod = answer<typeof resizable>(t, await older.client.get(path), 200);
    t.is(pod.metadata.name, 'resizable');
    t.false('resizePolicy' in pod.spec.containers[0]!);
  }
  await using newer = await start('1.36');
  const pod = answer<typeof resizable>(t, await newer.client.get(path), 200);
  t.deepEqual(pod.spec.containers[0]!.resizePolicy, resizable.spec.containers[0]!.resizePolicy, 'nothing was written');
});

test.serial('every feature gate that schema files name is in the table of gates', (t) => {
  const files = globSync(['plugins/**/*.schema.json', 'sdk/schemas/*.json'], {cwd: projectRoot()});
  const named = files.flatMap((file) => [...readFileSync(join(projectRoot(), file), 'utf8').matchAll(/"x-orch-feature-gate": "([^"]+)"/g)]);
  const known = gatesAtRelease('1.36');
  t.true(named.length > 20);
  t.deepEqual(
    named.flatMap(([, gates]) => gates!.split(',')).filter((gate) => !known.has(gate)),
    [],
  );
});

for (const {release, kept} of [
  {release: '1.28', kept: false},
  {release: '1.29', kept: true},
]) {
  test.serial(
    `limits of failed indexes are ${kept ? 'kept' : 'dropped'} in ${release}, where their gate is ${kept ? 'on' : 'off'} by default`,
    async (t) => {
      await using server = await at(release);
      const template = {spec: {restartPolicy: 'Never', containers: [{name: 'main', image: 'main:1'}]}};
      const job = {metadata: {name: 'indexed'}, spec: {completions: 2, completionMode: 'Indexed', backoffLimitPerIndex: 1, template}};
      const made = await server.client.post('/apis/batch/v1/namespaces/default/jobs?fieldValidation=Strict', job);
      t.is('backoffLimitPerIndex' in answer<typeof job>(t, made, 201).spec, kept);
    },
  );
}

for (const {release, served, gone} of [
  {
    release: '1.26',
    served: ['flowcontrol.apiserver.k8s.io/v1beta2', 'flowcontrol.apiserver.k8s.io/v1beta3', 'storage.k8s.io/v1beta1'],
    gone: ['flowcontrol.apiserver.k8s.io/v1', 'authentication.k8s.io/v1beta1'],
  },
  {
    release: '1.30',
    served: ['flowcontrol.apiserver.k8s.io/v1', 'flowcontrol.apiserver.k8s.io/v1beta3', 'authentication.k8s.io/v1beta1'],
    gone: ['flowcontrol.apiserver.k8s.io/v1beta2', 'storage.k8s.io/v1beta1'],
  },
  {
    release: '1.36',
    served: ['flowcontrol.apiserver.k8s.io/v1', 'authentication.k8s.io/v1'],
    gone: ['flowcontrol.apiserver.k8s.io/v1beta3', 'authentication.k8s.io/v1beta1', 'authentication.k8s.io/v1alpha1'],
  },
]) {
  test.serial(`discovery of ${release} has the group versions of that release, with all of them switched on`, async (t) => {
    await using server = await startTestServer({platform: 'kubernetes', release, runtimeConfig: ['api/all=true']});
    const {groups} = answer<{groups: {versions: {groupVersion: string}[]}[]}>(t, await server.client.get('/apis'), 200);
    const found = groups.flatMap(({versions}) => versions.map(({groupVersion}) => groupVersion));
    t.deepEqual(
      served.filter((version) => !found.includes(version)),
      [],
    );
    t.deepEqual(
      gone.filter((version) => found.includes(version)),
      [],
    );
  });
}

test.serial('types and subresources that a release has taken away are not there', async (t) => {
  for (const [release, status, claims] of [
    ['1.26', 200, 200],
    ['1.28', 404, 404],
  ] as const) {
    await using server = await startTestServer({platform: 'kubernetes', release, runtimeConfig: {'api/all': true}});
    const {client} = server;
    const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
    answer(t, await client.post(policies, {metadata: {name: 'all'}, spec: {podSelector: {}}}), 201);
    t.is((await client.get(`${policies}/all/status`)).status, status, release);
    t.is((await client.get('/apis/resource.k8s.io/v1alpha1/resourceclaims')).status, claims, release);
  }
});

test.serial('a kind whose place another kind takes says so, from the release on in which it is deprecated', async (t) => {
  const path = '/api/v1/namespaces/default/endpoints';
  await using before = await at('1.32');
  t.is((await before.client.get(path)).headers['warning'], undefined);
  await using after = await at('1.33');
  t.is(
    (await after.client.get(path)).headers['warning'],
    '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
  );
});

for (const release of ['1.30', '1.36']) {
  test.serial(
    `match conditions of webhooks are kept in ${release}, which has their feature gate ${release === '1.30' ? 'locked' : 'no more'}`,
    async (t) => {
      await using server = await at(release);
      const webhook = {
        name: 'check.example.com',
        clientConfig: {url: 'https://127.0.0.1:9/check'},
        rules: [{operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['gadgets']}],
        matchConditions: [{name: 'big', expression: 'object.spec.size > 3'}],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      };
      const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
      const made = answer<{webhooks: {matchConditions: object[]}[]}>(
        t,
        await server.client.post(path, {metadata: {name: 'x'}, webhooks: [webhook]}),
        201,
      );
      t.deepEqual(made.webhooks[0]!.matchConditions, webhook.matchConditions);
    },
  );
}
