import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {openBinary, readFields, text} from '../../../semantics/protobuf-reader.js';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const nodes = '/api/v1/nodes';
const controllers = '/api/v1/namespaces/default/replicationcontrollers';
const templates = '/api/v1/namespaces/default/podtemplates';

interface Answer extends ApiObject {
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}

const node = (name: string, spec: object = {}, status: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {name, ...metadata},
  spec,
  status,
});
const podTemplate = (labels: object = {app: 'web'}, spec: object = {}) => ({
  metadata: {labels},
  spec: {containers: [{name: 'main', image: 'web:1'}], ...spec},
});
const controller = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: {name},
  spec: {template: podTemplate(), ...spec},
});

test('a node brings its status along when it is made, and reports it later', async (t) => {
  const made = (
    await client().post(
      nodes,
      node('n1', {podCIDR: '10.0.0.0/24', configSource: {configMap: {}}}, {capacity: {cpu: '4', memory: '100u'}, config: {error: 'x'}}),
    )
  ).json<Answer>();
  t.is(made.status['config'], undefined);
  t.like(made.status, {capacity: {cpu: '4', memory: '1m'}, allocatable: {cpu: '4', memory: '1m'}});
  t.deepEqual(made.spec, {
    podCIDR: '10.0.0.0/24',
    podCIDRs: ['10.0.0.0/24'],
    taints: [{key: 'node.orch/not-ready', effect: 'NoSchedule'}],
  });
  const put = (await client().patch(`${nodes}/n1`, {status: {capacity: {cpu: '8'}}, spec: {unschedulable: true}})).json<Answer>();
  t.like(put.status, {capacity: {cpu: '4'}});
  const reported = (
    await client().patch(`${nodes}/n1/status`, {status: {capacity: {cpu: '8'}, config: {error: 'x'}}, spec: {unschedulable: false}})
  ).json<Answer>();
  t.is(reported.status['config'], undefined);
  t.like(reported.status, {capacity: {cpu: '8'}});
  t.is(reported.spec['unschedulable'], true);
});

test('taints, amounts and blocks of addresses of a node are checked', async (t) => {
  const spec = {
    taints: [
      {key: 'a', effect: 'NoSchedule'},
      {key: 'a', effect: 'NoSchedule'},
      {key: 'b', value: 'not ok', effect: 'Never'},
    ],
    podCIDRs: ['10.0.0.0/24', '10.0.1.0/24', 'x'],
  };
  t.deepEqual(faultyFields(await client().post(nodes, node('bad', spec, {capacity: {pods: '1500m'}, allocatable: {cpu: '-1'}}))), [
    'spec.taints[1]',
    'spec.taints[2].value',
    'spec.taints[2].effect',
    'status.capacity.pods',
    'status.allocatable.cpu',
    'spec.podCIDRs[2]',
    'spec.podCIDRs',
  ]);
});

test('what identifies a node is set once', async (t) => {
  await client().post(nodes, node('fixed'));
  t.is((await client().patch(`${nodes}/fixed`, {spec: {providerID: 'x://1', podCIDRs: ['10.0.0.0/24']}})).status, 200);
  const changed = await client().patch(`${nodes}/fixed`, {spec: {providerID: 'x://2', podCIDR: '10.0.9.0/24', externalID: 'e'}});
  t.deepEqual(faultyFields(changed), ['spec.podCIDRs', 'spec.providerID', 'spec.externalID']);
  const address = {type: 'InternalIP', address: '10.0.0.1'};
  t.deepEqual(
    faultyFields(await client().patch(`${nodes}/fixed/status`, {status: {addresses: [address, address]}}, 'application/merge-patch+json')),
    ['status.addresses[1]'],
  );
});

test('the Table of nodes tells roles, state and addresses; selectors find nodes that take no pods', async (t) => {
  const labels = {'node-role.orch/worker': '', 'orch/role': 'db', own: 'shown'};
  const status = {
    conditions: [{type: 'Ready', status: 'True'}],
    addresses: [{type: 'InternalIP', address: '10.0.0.7'}],
    nodeInfo: {kubeletVersion: 'v1.26.0', osImage: 'Linux'},
  };
  await client().post(nodes, node('shown', {unschedulable: true}, status, {labels}));
  const [row] = await tableRows(client(), `${nodes}?labelSelector=own=shown`);
  const {Age: _age, ...cells} = row!;
  t.deepEqual(cells, {
    Name: 'shown',
    Status: 'Ready,SchedulingDisabled',
    Roles: 'db,worker',
    Version: 'v1.26.0',
    'Internal-IP': '10.0.0.7',
    'External-IP': '<none>',
    'OS-Image': 'Linux',
    'Kernel-Version': '<unknown>',
    'Container-Runtime': '<unknown>',
  });
  const found = async (value: string) =>
    (await client().get(`${nodes}?labelSelector=own=shown&fieldSelector=spec.unschedulable=${value}`)).json<{items: unknown[]}>().items
      .length;
  t.deepEqual([await found('true'), await found('false')], [1, 0]);
});

test('a replication controller takes labels and selector from its template', async (t) => {
  const made = (await client().post(controllers, controller('web'))).json<Answer>();
  t.deepEqual(made.spec['selector'], {app: 'web'});
  t.deepEqual(made.metadata.labels, {app: 'web'});
  t.is(made.spec['replicas'], 1);
  t.is(made.metadata.generation, 1);
  t.deepEqual(made.status, {replicas: 0});
});

test('a replication controller finds its own pods, which run for ever', async (t) => {
  const spec = {
    replicas: -1,
    minReadySeconds: -1,
    selector: {app: 'other'},
    template: podTemplate({app: 'web'}, {restartPolicy: 'Never', activeDeadlineSeconds: 1}),
  };
  t.deepEqual(faultyFields(await client().post(controllers, controller('bad', spec))), [
    'spec.minReadySeconds',
    'spec.replicas',
    'spec.template.metadata.labels',
    'spec.template.spec.restartPolicy',
    'spec.template.spec.activeDeadlineSeconds',
  ]);
  t.deepEqual(faultyFields(await client().post(controllers, controller('empty', {template: null}))), ['spec.selector', 'spec.template']);
});

test('a replication controller is scaled, and counts what it has', async (t) => {
  await client().post(controllers, controller('scaled'));
  const scale = `${controllers}/scaled/scale`;
  t.like((await client().get(scale)).json<Answer>(), {kind: 'Scale', spec: {replicas: 1}, status: {selector: 'app=web'}});
  const scaled = await client().patch(scale, {spec: {replicas: 3}});
  t.deepEqual([scaled.status, scaled.headers.warning], [200, undefined]);
  const binary = openBinary((await client().get(scale, {headers: {accept: 'application/vnd.orch.protobuf'}})).body);
  t.deepEqual([binary.apiVersion, binary.kind], ['autoscaling/v1', 'Scale']);
  t.deepEqual(
    [readFields(binary.raw.get(2)![0] as Buffer).get(1), text(readFields(binary.raw.get(3)![0] as Buffer), 2)],
    [[3n], 'app=web'],
  );
  t.is((await client().get(`${controllers}/scaled`)).json<Answer>().metadata.generation, 2);
  const report = (status: object) => client().patch(`${controllers}/scaled/status`, {status});
  t.deepEqual(faultyFields(await report({replicas: 1, readyReplicas: 2, availableReplicas: 3})), [
    'status.readyReplicas',
    'status.availableReplicas',
    'status.availableReplicas',
  ]);
  t.is((await report({replicas: 3, readyReplicas: 2})).status, 200);
  const row = (await tableRows(client(), controllers)).find(({Name: name}) => name === 'scaled');
  t.like(row, {Desired: 3, Current: 3, Ready: 2, Containers: 'main', Images: 'web:1', Selector: 'app=web'});
  t.is((await client().get(`${controllers}?fieldSelector=status.replicas=3`)).json<{items: unknown[]}>().items.length, 1);
});

test('a pod template is checked like any other and counts its changes', async (t) => {
  const make = (name: string, template: unknown) =>
    client().post(templates, {apiVersion: 'v1', kind: 'PodTemplate', metadata: {name}, template});
  t.is((await make('plain', podTemplate())).json<Answer>().metadata.generation, 1);
  t.is((await client().patch(`${templates}/plain`, {template: {metadata: {labels: {more: 'x'}}}})).json<Answer>().metadata.generation, 2);
  t.is((await client().patch(`${templates}/plain`, {metadata: {labels: {more: 'x'}}})).json<Answer>().metadata.generation, 2);
  t.deepEqual(causesOf(await make('bad', podTemplate({}, {containers: []}))), ['template.spec.containers: Required value']);
  t.like((await tableRows(client(), templates))[0], {Name: 'plain', Containers: 'main', Images: 'web:1', 'Pod Labels': 'app=web,more=x'});
});
