import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {answer} from '../../../semantics/answers.js';
import {causesOf} from '../served-group.js';

interface Pod {
  readonly metadata: {readonly annotations?: Readonly<Record<string, string>>};
  readonly spec: {readonly containers: readonly {readonly resizePolicy?: unknown; readonly resources: object}[]};
  readonly status: {readonly resize?: string; readonly nominatedNodeName?: string};
}

const pods = '/api/v1/namespaces/default/pods';
const armour = 'container.apparmor.security.beta.kubernetes.io/';
const at = (release: string, gates: Record<string, boolean> = {}) =>
  startTestServer({platform: 'kubernetes', release, featureGates: gates});
const podOf = (name: string, spec: object) => ({metadata: {name}, spec});

test('profiles of AppArmor are written to annotations from 1.30 to 1.33', async (t) => {
  const own = {name: 'own', image: 'i', securityContext: {appArmorProfile: {type: 'Localhost', localhostProfile: 'p'}}};
  const spec = {securityContext: {appArmorProfile: {type: 'RuntimeDefault'}}, containers: [own, {name: 'other', image: 'i'}]};
  const written = {[`${armour}own`]: 'localhost/p', [`${armour}other`]: 'runtime/default'};
  for (const [release, annotations] of [
    ['1.30', written],
    ['1.33', written],
    ['1.34', undefined],
  ] as const) {
    await using server = await at(release);
    const made = answer<Pod>(t, await server.client.post(pods, podOf('armoured', spec)), 201);
    t.deepEqual(made.metadata.annotations, annotations, release);
  }
});

test('a pod that has a node is promised no other from 1.35 on, and its binding forgets what was promised', async (t) => {
  for (const [release, left, code] of [
    ['1.34', 'n2', 200],
    ['1.35', undefined, 422],
  ] as const) {
    await using server = await at(release);
    const {client} = server;
    answer(t, await client.post(pods, podOf('promised', {containers: [{name: 'a', image: 'i'}]})), 201);
    const promise = (nominatedNodeName: string | null) => client.patch(`${pods}/promised/status`, {status: {nominatedNodeName}});
    answer(t, await promise('n2'), 200);
    answer(t, await client.post(`${pods}/promised/binding`, {metadata: {name: 'promised'}, target: {kind: 'Node', name: 'n1'}}), 201);
    t.is(answer<Pod>(t, await client.get(`${pods}/promised`), 200).status.nominatedNodeName, left, release);
    const later = await promise('n3');
    t.is(later.status, code, release);
    if (code === 422)
      t.deepEqual(causesOf(later), ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node']);
    answer(t, await promise(null), 200);
  }
});

test('containers that request cpu or memory get a resize policy from 1.27 to 1.32, where the gate is on', async (t) => {
  const resources = {requests: {cpu: '1', memory: '1Gi'}};
  const given = [{resourceName: 'memory', restartPolicy: 'RestartContainer'}];
  const container = {name: 'a', image: 'i', resources, resizePolicy: given};
  for (const [release, gate, filled] of [
    ['1.27', true, true],
    ['1.32', true, true],
    ['1.32', false, undefined],
    ['1.33', true, false],
  ] as const) {
    await using server = await at(release, {InPlacePodVerticalScaling: gate});
    const made = answer<Pod>(t, await server.client.post(pods, podOf('resizable', {containers: [container]})), 201);
    const more = [{resourceName: 'cpu', restartPolicy: 'NotRequired'}];
    t.deepEqual(made.spec.containers[0]!.resizePolicy, filled === undefined ? undefined : [...given, ...(filled ? more : [])], release);
  }
});

test('until 1.31 a pod is resized by writing it, where the gate is on', async (t) => {
  await using server = await at('1.31', {InPlacePodVerticalScaling: true});
  const {client} = server;
  const container = {name: 'a', image: 'i', resources: {requests: {cpu: '1'}}};
  answer(t, await client.post(pods, podOf('grows', {containers: [container]})), 201);
  const allocated = {name: 'a', image: 'i', imageID: '', ready: true, restartCount: 0, allocatedResources: {cpu: '1'}};
  answer(t, await client.patch(`${pods}/grows/status`, {status: {containerStatuses: [allocated]}}), 200);
  const written = (spec: object) => client.patch(`${pods}/grows`, {spec}, 'application/strategic-merge-patch+json');
  const grown = answer<Pod>(t, await written({containers: [{name: 'a', resources: {requests: {cpu: '2'}}}]}), 200);
  t.deepEqual(grown.spec.containers[0]!.resources, {requests: {cpu: '2'}});
  t.is(grown.status.resize, 'Proposed');
  const resources = {requests: {cpu: '2'}, limits: {cpu: '2', memory: '1Gi'}};
  t.is(causesOf(await written({containers: [{name: 'a', resources}]}))[0], 'metadata: Invalid value: "Burstable": Pod QoS is immutable');
  const [text = ''] = causesOf(await written({hostname: 'other'}));
  t.true(text.includes(',`spec.containers[*].resources` (for CPU/memory only)\n'), text);
});

test('a lifecycle that names but the signal to stop is none while its gate is off', async (t) => {
  const stopping = {name: 'a', image: 'i', lifecycle: {stopSignal: 'SIGUSR1'}};
  const spec = {containers: [{name: 'main', image: 'i'}], initContainers: [stopping]};
  await using server = await at('1.36');
  const made = answer<{spec: {initContainers: {lifecycle?: object}[]}}>(t, await server.client.post(pods, podOf('off', spec)), 201);
  t.is(made.spec.initContainers[0]!.lifecycle, undefined);
  await using other = await at('1.36', {ContainerStopSignals: true});
  t.true(
    causesOf(await other.client.post(pods, podOf('on', spec))).some((cause) => cause.startsWith('spec.initContainers[0].lifecycle: ')),
  );
});

test('an update may not bring values that labels cannot have into selectors, nor a deadline that is none', async (t) => {
  await using server = await at('1.36');
  await server.client.post(pods, podOf('plain', {containers: [{name: 'a', image: 'i'}]}));
  const labelSelector = {matchExpressions: [{key: 'a', operator: 'In', values: ['Not_Valid!']}]};
  const podAffinity = {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: 'a', labelSelector}]};
  const [fault] = causesOf(await server.client.patch(`${pods}/plain`, {spec: {affinity: {podAffinity}}}));
  t.regex(fault!, /\.labelSelector\.matchExpressions\[0\]\.values\[0\]: Invalid value: "Not_Valid!": /);
  t.deepEqual(causesOf(await server.client.patch(`${pods}/plain`, {spec: {activeDeadlineSeconds: -1}})), [
    'spec.activeDeadlineSeconds: Invalid value: -1: must be between 1 and 2147483647, inclusive',
    'spec.activeDeadlineSeconds: Invalid value: -1: must be between 0 and 2147483647, inclusive',
  ]);
});
