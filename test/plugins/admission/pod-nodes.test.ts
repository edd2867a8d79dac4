import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {answer} from '../../semantics/answers.js';

interface Pod {
  readonly metadata: {readonly labels?: Readonly<Record<string, string>>};
}

const pods = '/api/v1/namespaces/default/pods';
const zone = {'topology.kubernetes.io/zone': 'a', 'topology.kubernetes.io/region': 'b'};
const container = (resources: object) => ({name: 'main', image: 'i', resources});
const podOn = (name: string, nodeName: string | undefined, spec: object = {}) => ({
  metadata: {name, labels: {own: 'c'}},
  spec: {nodeName, containers: [container({requests: {cpu: '1'}})], ...spec},
});
const at = (release: string, gates: Record<string, boolean> = {}) =>
  startTestServer({platform: 'kubernetes', release, featureGates: gates});
const nodeNamed = (name: string, status: object = {}, labels: object = {}) => ({metadata: {name, labels}, status});

test('pods get the labels that say where their node is: when they are bound, and when they are made with it [B-ADM-33]', async (t) => {
  for (const [release, labels] of [
    ['1.36', {own: 'c', ...zone}],
    ['1.34', {own: 'c'}],
  ] as const) {
    await using server = await at(release);
    const {client} = server;
    answer(t, await client.post('/api/v1/nodes', nodeNamed('n1', {}, {...zone, other: 'd'})), 201);
    answer(t, await client.post(pods, podOn('bound', undefined)), 201);
    const binding = {metadata: {name: 'bound'}, target: {kind: 'Node', name: 'n1'}};
    answer(t, await client.post(`${pods}/bound/binding`, {apiVersion: 'v1', kind: 'Binding', ...binding}), 201);
    t.deepEqual(answer<Pod>(t, await client.get(`${pods}/bound`), 200).metadata.labels, labels);
    t.deepEqual(answer<Pod>(t, await client.post(pods, podOn('made', 'n1')), 201).metadata.labels, labels);
    t.deepEqual(answer<Pod>(t, await client.post(pods, podOn('elsewhere', 'absent')), 201).metadata.labels, {own: 'c'});
  }
});

test('a resize that the node can never grant is refused [B-ADM-34]', async (t) => {
  await using server = await at('1.36');
  const {client} = server;
  answer(t, await client.post('/api/v1/nodes', nodeNamed('small', {allocatable: {cpu: '1500m', memory: '1Gi'}})), 201);
  answer(t, await client.post('/api/v1/nodes', nodeNamed('other', {}, {'kubernetes.io/os': 'plan9'})), 201);
  const resized = async (name: string, requests: object) =>
    (await client.patch(`${pods}/${name}/resize`, {spec: {containers: [{name: 'main', resources: {requests}}]}})).json<{
      message?: string;
      details?: {causes: unknown};
    }>();
  for (const [name, node] of Object.entries({one: 'small', two: 'other', three: 'absent'}))
    answer(t, await client.post(pods, podOn(name, node)), 201);
  const refused = await resized('one', {cpu: '2'});
  t.is(refused.message, 'pods "one" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 2000, allocatable: 1500');
  t.deepEqual(refused.details?.causes, [{reason: 'NodeCapacity'}]);
  t.is((await resized('one', {cpu: '1500m'})).message, undefined);
  const elsewhere = await resized('two', {cpu: '2'});
  t.is(elsewhere.message, 'pods "two" is forbidden: pod resize is only supported on linux nodes, node "other" is "plan9"');
  t.deepEqual(elsewhere.details?.causes, [{reason: 'UnsupportedPlatform'}]);
  t.is((await resized('three', {cpu: '2'})).message, 'pods "three" is forbidden: node "absent" not found');
});

test('a change of a pod that needs a feature is refused where the node does not declare it [B-ADM-35]', async (t) => {
  await using server = await at('1.36', {InPlacePodLevelResourcesVerticalScaling: true});
  const {client} = server;
  const allocatable = {cpu: '8', memory: '8Gi'};
  const declaredFeatures = ['InPlacePodLevelResourcesVerticalScaling'];
  answer(t, await client.post('/api/v1/nodes', nodeNamed('plain', {allocatable})), 201);
  answer(t, await client.post('/api/v1/nodes', nodeNamed('able', {allocatable, declaredFeatures})), 201);
  const resources = {requests: {cpu: '1'}};
  for (const [name, node] of Object.entries({one: 'plain', two: 'able'}))
    answer(t, await client.post(pods, podOn(name, node, {resources})), 201);
  const resized = (name: string) => client.patch(`${pods}/${name}/resize`, {spec: {resources: {requests: {cpu: '2'}}}});
  const needed = 'pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "plain"';
  t.is((await resized('one')).json<{message: string}>().message, `pods "one" is forbidden: ${needed}`);
  answer(t, await resized('two'), 200);
});
