import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import type {Deployment, DaemonSet, StatefulSet} from '@orch-api/orch/types/unchecked/apps/v1';
import type {Job} from '@orch-api/orch/types/unchecked/batch/v1';
import type {Node, Pod} from '@orch-api/orch/types/unchecked/core/v1';

const template = (app: string, spec: object = {}) => ({
  metadata: {labels: {app}},
  spec: {containers: [{name: 'main', image: 'registry.example.com/app:1'}], ...spec},
});
const workload = (app: string, more: object = {}) => ({
  metadata: {name: app},
  spec: {selector: {matchLabels: {app}}, template: template(app), ...more},
});

for (const release of ['1.26', '1.30', '1.36']) {
  test(`a cluster that speaks ${release} deploys, completes, drains and forgets what it is asked to`, async (t) => {
    const server = await startTestServer({platform: 'kubernetes', release, cluster: {nodes: '3:zones=a+b'}});
    t.teardown(() => server.stop());
    const {client} = server;
    const make = async (path: string, object: object) => {
      const made = await client.post(path, object);
      t.is(made.status, 201, made.body.toString());
    };
    const read = async <T>(path: string) => (await client.get(path)).json<T>();
    const apps = '/apis/apps/v1/namespaces/default';
    await make(`${apps}/deployments`, workload('web', {replicas: 4}));
    await make(`${apps}/statefulsets`, workload('store', {replicas: 2, serviceName: 'store'}));
    await make(`${apps}/daemonsets`, workload('agent'));
    await make('/api/v1/namespaces/default/services', {metadata: {name: 'web'}, spec: {selector: {app: 'web'}, ports: [{port: 80}]}});
    await make('/apis/batch/v1/namespaces/default/jobs', {
      metadata: {name: 'once'},
      spec: {completions: 2, template: template('once', {restartPolicy: 'Never'})},
    });
    await server.settled();
    const {items: nodes} = await read<{items: Node[]}>('/api/v1/nodes');
    t.deepEqual(
      nodes.map(({status}) => status?.nodeInfo?.kubeletVersion),
      Array.from({length: 3}, () => `v${release}.0`),
    );
    t.like((await read<Deployment>(`${apps}/deployments/web`)).status, {replicas: 4, availableReplicas: 4});
    t.like((await read<StatefulSet>(`${apps}/statefulsets/store`)).status, {readyReplicas: 2});
    t.like((await read<DaemonSet>(`${apps}/daemonsets/agent`)).status, {desiredNumberScheduled: 3, numberReady: 3});
    t.like((await read<Job>('/apis/batch/v1/namespaces/default/jobs/once')).status, {succeeded: 2});
    const slices = await read<{items: {endpoints: object[]}[]}>('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices');
    t.is(slices.items.flatMap(({endpoints}) => endpoints).length, 4);

    await client.patch('/api/v1/nodes/node-1', {spec: {unschedulable: true}});
    const onNode = async () =>
      (await read<{items: Pod[]}>('/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName=node-1')).items.filter(
        ({metadata, status}) => metadata.labels?.['app'] !== 'agent' && status?.phase === 'Running',
      );
    for (const {metadata} of await onNode()) {
      const eviction = {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name: metadata.name}};
      const evicted = await client.post(`/api/v1/namespaces/default/pods/${metadata.name}/eviction`, eviction);
      t.is(evicted.status, 201, evicted.body.toString());
    }
    await server.settled();
    t.deepEqual(await onNode(), []);
    t.like((await read<Deployment>(`${apps}/deployments/web`)).status, {availableReplicas: 4});
    for (const path of ['deployments/web', 'statefulsets/store', 'daemonsets/agent']) await client.delete(`${apps}/${path}`);
    await client.delete('/apis/batch/v1/namespaces/default/jobs/once?propagationPolicy=Background');
    await server.settled();
    t.deepEqual((await read<{items: Pod[]}>('/api/v1/namespaces/default/pods')).items, []);
  });
}
