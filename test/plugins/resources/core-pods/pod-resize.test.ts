import test from 'ava';
import {eventually, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {answer} from '../../../semantics/answers.js';
import {causesOf} from '../served-group.js';

interface Pod {
  kind: string;
  metadata: {generation?: number; managedFields?: {subresource?: string; fieldsV1: unknown}[]};
  spec: {containers: {name: string; image?: string; resources?: object}[]; hostname?: string; nodeName?: string};
  status: {observedGeneration?: number; conditions?: {type: string; observedGeneration?: number}[]};
}

const pods = '/api/v1/namespaces/default/pods';
const at = (release: string, gates: Record<string, boolean> = {}): Promise<TestServer> =>
  startTestServer({platform: 'kubernetes', release, featureGates: gates});

const amounts = (cpu: string, memory = '1Gi') => ({requests: {cpu, memory}});
const main = (resources: object, more: object = {}) => ({name: 'main', image: 'i', resources, ...more});
const pod = (name: string, ...containers: object[]) => ({metadata: {name}, spec: {containers}});

/** Asks for other resources of the container `main`. */
const resize = (server: TestServer, name: string, resources: object, more: object = {}) =>
  server.client.patch(`${pods}/${name}/resize`, {spec: {containers: [{name: 'main', resources}]}, ...more});

test.serial('pods/resize changes cpu and memory of containers and nothing else', async (t) => {
  await using server = await at('1.36');
  answer(t, await server.client.post(pods, pod('grows', main(amounts('1')))), 201);
  const asked = {
    metadata: {labels: {a: 'b'}},
    spec: {hostname: 'x', containers: [{name: 'main', image: 'other', resources: amounts('2')}]},
  };
  const resized = answer<Pod>(t, await server.client.patch(`${pods}/grows/resize`, asked), 200);
  t.deepEqual(resized.spec.containers[0]!.resources, amounts('2'));
  t.is(resized.spec.containers[0]!.image, 'i');
  t.is(resized.spec.hostname, undefined);
  t.false('labels' in resized.metadata);
  const read = answer<Pod>(t, await server.client.get(`${pods}/grows/resize`), 200);
  t.is(read.kind, 'Pod');
  t.deepEqual(read.spec.containers[0]!.resources, amounts('2'));
  const [refused] = causesOf(await server.client.patch(`${pods}/grows`, {spec: {containers: [main(amounts('3'))]}}));
  t.regex(refused!, /^spec: Forbidden: pod updates may not change fields other than/);
});

test.serial('pods/resize is there from 1.32 on where its gate is on', async (t) => {
  for (const [release, gates, status] of [
    ['1.31', {InPlacePodVerticalScaling: true}, 404],
    ['1.32', {}, 404],
    ['1.32', {InPlacePodVerticalScaling: true}, 200],
    ['1.33', {}, 200],
    ['1.33', {InPlacePodVerticalScaling: false}, 404],
  ] as const) {
    await using server = await at(release, gates);
    answer(t, await server.client.post(pods, pod('one', main(amounts('1')))), 201);
    t.is((await resize(server, 'one', amounts('2'))).status, status, `${release} ${JSON.stringify(gates)}`);
    const {resources} = (await server.client.get('/api/v1')).json<{resources: {name: string}[]}>();
    t.is(
      resources.some(({name}) => name === 'pods/resize'),
      status === 200,
    );
  }
});

test.serial('a resize reports everything that it may not do', async (t) => {
  await using server = await at('1.36');
  answer(t, await server.client.post(pods, pod('firm', main({...amounts('1'), limits: {memory: '1Gi'}}), {name: 'side', image: 'i'})), 201);
  const put = async (...containers: object[]) => {
    const {metadata} = (await server.client.get(`${pods}/firm`)).json<{metadata: object}>();
    return causesOf(await server.client.put(`${pods}/firm/resize`, {metadata, spec: {containers}}));
  };
  t.deepEqual(
    await put(main({requests: {memory: '1Gi'}}), {name: 'side', image: 'i', resources: {requests: {'ephemeral-storage': '1Gi'}}}),
    [
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
  );
  t.deepEqual(await put(main(amounts('1'))), ['spec.containers: Forbidden: containers may not be added or removed on resize']);
  t.deepEqual(await put(main(amounts('1')), {name: 'other', image: 'i'}), [
    'spec.containers[1].name: Forbidden: containers may not be renamed or reordered on resize',
  ]);
  const same = {cpu: '1', memory: '1Gi'};
  const guaranteed = [main({requests: same, limits: same}), {name: 'side', image: 'i', resources: {requests: same, limits: same}}];
  t.deepEqual(await put(...guaranteed), ['spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing']);
});

test.serial('static pods, those for Windows and those on nodes that cannot do it are not resized', async (t) => {
  await using server = await at('1.36');
  const {client} = server;
  const mirror = {
    metadata: {name: 'static', annotations: {'kubernetes.io/config.mirror': 'x'}},
    spec: {nodeName: 'n1', containers: [main(amounts('1'))]},
  };
  answer(t, await client.post(pods, mirror), 201);
  t.deepEqual(causesOf(await resize(server, 'static', amounts('2'))), ['<nil>: Forbidden: static pods cannot be resized']);
  answer(t, await client.post(pods, {metadata: {name: 'win'}, spec: {os: {name: 'windows'}, containers: [main(amounts('1'))]}}), 201);
  t.deepEqual(causesOf(await resize(server, 'win', amounts('2'))), ['<nil>: Forbidden: windows pods cannot be resized']);
  answer(t, await client.post(pods, pod('old', main(amounts('1')))), 201);
  const running = (more: object) => ({status: {containerStatuses: [{name: 'main', state: {running: {}}, ...more}]}});
  answer(t, await client.patch(`${pods}/old/status`, running({})), 200);
  t.deepEqual(causesOf(await resize(server, 'old', amounts('2'))), ['spec: Forbidden: Pod running on node without support for resize']);
  answer(t, await client.patch(`${pods}/old/status`, running({resources: amounts('1')})), 200);
  answer(t, await resize(server, 'old', amounts('2')), 200);
});

test.serial('init containers that go on running are resized, others from 1.36 on, unless that would start them again', async (t) => {
  const init = (name: string, more: object = {}) => ({name, image: 'i', resources: amounts('1'), ...more});
  const initContainers = [init('once'), init('side', {restartPolicy: 'Always'})];
  const scale = (server: TestServer, name: string) => {
    const spec = {initContainers: [{name, resources: amounts('2')}]};
    return server.client.patch(`${pods}/p/resize`, {spec}, 'application/strategic-merge-patch+json');
  };
  for (const [release, once] of [
    ['1.35', ['spec: Forbidden: resources for non-sidecar init containers are immutable']],
    ['1.36', []],
  ] as const) {
    await using server = await at(release);
    answer(t, await server.client.post(pods, {metadata: {name: 'p'}, spec: {initContainers, containers: [main(amounts('1'))]}}), 201);
    answer(t, await scale(server, 'side'), 200);
    const response = await scale(server, 'once');
    t.deepEqual(response.status === 200 ? [] : causesOf(response), [...once]);
  }
});

test.serial('resources of the whole pod are resized where the gate is on, and are not taken away', async (t) => {
  const whole = {metadata: {name: 'whole'}, spec: {resources: amounts('2'), containers: [main(amounts('1'))]}};
  await using older = await at('1.34');
  answer(t, await older.client.post(pods, whole), 201);
  t.deepEqual(causesOf(await resize(older, 'whole', amounts('2'))), [
    '<nil>: Forbidden: resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
  ]);
  await using server = await at('1.36');
  answer(t, await server.client.post(pods, whole), 201);
  const change = (resources: object | null) => server.client.patch(`${pods}/whole/resize`, {spec: {resources}});
  t.deepEqual(answer<{spec: {resources: object}}>(t, await change(amounts('3')), 200).spec.resources, amounts('3'));
  t.deepEqual(causesOf(await change({requests: {cpu: null}})), [
    'spec.resources.requests: Forbidden: pod-level resource requests cannot be removed',
  ]);
});

test.serial('whoever applies through pods/resize owns the resources that it changes, and no other field', async (t) => {
  await using server = await at('1.36');
  answer(t, await server.client.post(pods, pod('owned', main(amounts('1')))), 201);
  const config = {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'owned'}, spec: {containers: [main(amounts('2'))]}};
  const applied = answer<Pod>(
    t,
    await server.client.patch(`${pods}/owned/resize?fieldManager=vpa&force=true`, config, 'application/apply-patch+yaml'),
    200,
  );
  t.deepEqual(applied.metadata.managedFields!.find(({subresource}) => subresource === 'resize')!.fieldsV1, {
    'f:spec': {'f:containers': {'k:{"name":"main"}': {'f:resources': {'f:requests': {'f:cpu': {}, 'f:memory': {}}}}}},
  });
  t.is(applied.spec.containers[0]!.image, 'i');
});

test.serial('limits and quotas of a namespace apply to resizes', async (t) => {
  await using server = await at('1.36');
  const {client} = server;
  answer(
    t,
    await client.post('/api/v1/namespaces/default/limitranges', {
      metadata: {name: 'l'},
      spec: {limits: [{type: 'Container', max: {cpu: '5'}}]},
    }),
    201,
  );
  const limited = main({...amounts('1'), limits: {cpu: '4'}});
  answer(t, await client.post(pods, pod('bound', limited)), 201);
  const beyond = await resize(server, 'bound', {...amounts('6'), limits: {cpu: '6'}});
  t.is(beyond.status, 403);
  t.regex(beyond.json<{message: string}>().message, /maximum cpu usage per Container is 5, but limit is 6/);
  answer(
    t,
    await client.post('/api/v1/namespaces/default/resourcequotas', {metadata: {name: 'q'}, spec: {hard: {'requests.cpu': '3'}}}),
    201,
  );
  const isUsed = (amount: string) =>
    eventually(async () => {
      const quota = (await client.get('/api/v1/namespaces/default/resourcequotas/q')).json<{status?: {used?: Record<string, string>}}>();
      if (quota.status?.used?.['requests.cpu'] !== amount) throw new Error(`not ${amount}: ${JSON.stringify(quota.status)}`);
    });
  await t.notThrowsAsync(isUsed('1'));
  const large = await resize(server, 'bound', {...amounts('4'), limits: {cpu: '4'}});
  t.is(large.status, 403);
  t.regex(
    large.json<{message: string}>().message,
    /exceeded quota: q, requested: requests.cpu=3, used: requests.cpu=1, limited: requests.cpu=3/,
  );
  answer(t, await resize(server, 'bound', {...amounts('2'), limits: {cpu: '4'}}), 200);
  await t.notThrowsAsync(isUsed('2'));
  answer(t, await resize(server, 'bound', {...amounts('500m'), limits: {cpu: '4'}}), 200);
  // What the first resize was charged counts as pending for five seconds.
  await server.advance(6000);
  await t.notThrowsAsync(isUsed('500m'), 'what a resize gives back is free again');
});

test.serial('the generation of a pod counts changes of its spec from 1.33 on, but not its binding', async (t) => {
  await using older = await at('1.32');
  t.is(answer<Pod>(t, await older.client.post(pods, pod('plain', main(amounts('1')))), 201).metadata.generation, undefined);
  await using server = await at('1.33');
  const {client} = server;
  const made = answer<Pod>(
    t,
    await client.post(pods, {...pod('counted', main(amounts('1'))), metadata: {name: 'counted', generation: 7}}),
    201,
  );
  t.is(made.metadata.generation, 1);
  answer(t, await client.post(`${pods}/counted/binding`, {metadata: {name: 'counted'}, target: {kind: 'Node', name: 'n1'}}), 201);
  const bound = answer<Pod>(t, await client.get(`${pods}/counted`), 200);
  t.is(bound.spec.nodeName, 'n1');
  t.is(bound.metadata.generation, 1);
  answer(t, await client.patch(`${pods}/counted`, {metadata: {labels: {a: 'b'}}}), 200);
  t.is(answer<Pod>(t, await client.patch(`${pods}/counted/status`, {status: {phase: 'Running'}}), 200).metadata.generation, 1);
  t.is(answer<Pod>(t, await resize(server, 'counted', amounts('2')), 200).metadata.generation, 2);
  t.is(answer<Pod>(t, await client.patch(`${pods}/counted`, {spec: {activeDeadlineSeconds: 60}}), 200).metadata.generation, 3);
  t.is(answer<Pod>(t, await client.delete(`${pods}/counted`), 200).metadata.generation, 4);
});

test.serial(
  'generations that a status was made for are kept where a client leaves them out, from the release that tracks them on',
  async (t) => {
    await using server = await at('1.34');
    const {client} = server;
    const report = (status: object) => client.patch(`${pods}/seen/status`, {status}, 'application/merge-patch+json');
    answer(t, await client.post(pods, pod('seen', main(amounts('1')))), 201);
    const ready = {type: 'Ready', status: 'True'};
    answer(t, await report({observedGeneration: 1, conditions: [{...ready, observedGeneration: 1}]}), 200);
    const kept = answer<Pod>(
      t,
      await report({observedGeneration: null, conditions: [ready, {type: 'Initialized', status: 'True'}]}),
      200,
    ).status;
    t.is(kept.observedGeneration, 1);
    t.deepEqual(
      kept.conditions!.map(({observedGeneration}) => observedGeneration),
      [1, undefined],
    );
    t.deepEqual(causesOf(await report({observedGeneration: -1, conditions: [{...ready, observedGeneration: -2}]})), [
      'status.conditions[0].observedGeneration: Invalid value: -2: must be a non-negative integer',
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    ]);
    await using older = await at('1.33');
    answer(t, await older.client.post(pods, pod('seen', main(amounts('1')))), 201);
    const dropped = await older.client.patch(`${pods}/seen/status`, {status: {observedGeneration: 1}});
    t.is(answer<Pod>(t, dropped, 200).status.observedGeneration, undefined);
  },
);
