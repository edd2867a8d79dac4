import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import type {Node, Pod} from '@orch-api/orch/types/unchecked/core/v1';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder, type Teardown} from '../../../helpers/temp-folder.js';
import {conditionsOf} from './cluster.js';

const list = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata:
    name: large
    uid: 11111111-2222-3333-4444-555555555555
    resourceVersion: "4711"
    creationTimestamp: "2020-01-01T00:00:00Z"
    labels: {disk: ssd, topology.kubernetes.io/zone: b}
    annotations: {example.com/rack: "7"}
  spec:
    providerID: example://large
    taints: [{key: gpu, value: "yes", effect: NoSchedule}]
  status:
    capacity: {cpu: "64", memory: 256Gi, pods: "250", example.com/gpu: "4"}
    allocatable: {cpu: "63", memory: 250Gi, pods: "250", example.com/gpu: "4"}
    conditions:
    - {type: Ready, status: Unknown, reason: NodeStatusUnknown, lastHeartbeatTime: "2020-01-01T00:00:00Z"}
---
apiVersion: v1
kind: Node
metadata: {name: small}
`;

function fileWith(t: Teardown, text: string): string {
  const path = join(tempFolder(t), 'nodes.yaml');
  writeFileSync(path, text);
  return path;
}

test('nodes of a file that kubectl wrote are simulated with their labels, taints and capacities, beside others', async (t) => {
  const server = await startTestServer({platform: 'kubernetes', cluster: {nodesFile: fileWith(t, list), nodes: 1}});
  t.teardown(() => server.stop());
  const {client} = server;
  const {items} = await eventually(
    async () => (await client.get('/api/v1/nodes')).json<{items: Node[]}>(),
    (found) => found.items.length === 3 && found.items.every((node) => conditionsOf(node).some((text) => text.startsWith('Ready True'))),
  );
  await server.settled();
  const [large, other, small] = items;
  t.deepEqual([large!.metadata.name, other!.metadata.name, small!.metadata.name], ['large', 'node-1', 'small']);
  t.not(large!.metadata.uid, '11111111-2222-3333-4444-555555555555');
  t.like(large!.metadata.labels, {disk: 'ssd', 'topology.kubernetes.io/zone': 'b'});
  t.like(large!.metadata.annotations, {'example.com/rack': '7', 'simulate.orch/node': 'true'});
  t.like(large!.status, {capacity: {cpu: '64', 'example.com/gpu': '4'}, allocatable: {cpu: '63', memory: '250Gi'}});
  t.deepEqual((await client.get('/api/v1/nodes/large')).json<Node>().spec?.taints, [{key: 'gpu', value: 'yes', effect: 'NoSchedule'}]);
  t.like(small!.status, {capacity: {cpu: '4', pods: '110'}});

  await client.post('/api/v1/namespaces/default/pods', {
    metadata: {name: 'trains'},
    spec: {
      containers: [{name: 'main', image: 'registry.example.com/app:1', resources: {limits: {'example.com/gpu': '3'}}}],
      tolerations: [{key: 'gpu', operator: 'Exists'}],
    },
  });
  await server.settled();
  const pod = (await client.get('/api/v1/namespaces/default/pods/trains')).json<Pod>();
  t.is(pod.spec?.nodeName, 'large');
  t.is(pod.status?.phase, 'Running');
});

test('a file with something else than Nodes keeps a server from starting, and is named', async (t) => {
  const path = fileWith(t, 'apiVersion: v1\nkind: Node\nmetadata: {name: one}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: two}\n');
  const error = await t.throwsAsync(startTestServer({platform: 'kubernetes', cluster: {nodesFile: path}}));
  t.true(error.message.includes(`${path}: object 2 is not a Node of v1 with a name`), error.message);
});
