import type {Deployment} from '@orch-api/orch/types/unchecked/apps/v1';
import type {Job} from '@orch-api/orch/types/unchecked/batch/v1';
import type {Pod} from '@orch-api/orch/types/unchecked/core/v1';
import {testOnCluster, type SimulatedCluster} from './cluster.js';

const clusterTest = testOnCluster(3);

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const template = (app: string, annotations: object, spec: object = {}) => ({
  metadata: {labels: {app}, annotations},
  spec: {containers: [{name: 'main', image: 'registry.example.com/app:1'}], ...spec},
});

/** The pods of an app. */
async function podsOf(cluster: SimulatedCluster, app: string): Promise<Pod[]> {
  return (await cluster.get<{items: Pod[]}>(`/api/v1/namespaces/default/pods?labelSelector=app=${app}`)).items;
}

async function inPhase(cluster: SimulatedCluster, app: string, phase: string): Promise<number> {
  return (await podsOf(cluster, app)).filter(({status}) => status?.phase === phase).length;
}

clusterTest(
  'a snapshot that is taken while a cluster is at work can be restored, and the cluster goes on from there',
  async (t, cluster) => {
    const {server} = cluster;
    await cluster.create(deployments, {
      metadata: {name: 'web'},
      spec: {replicas: 4, selector: {matchLabels: {app: 'web'}}, template: template('web', {'simulate.orch/ready': '10s'})},
    });
    await cluster.create(jobs, {
      metadata: {name: 'once'},
      spec: {completions: 4, parallelism: 2, template: template('once', {'simulate.orch/after': '10s'}, {restartPolicy: 'Never'})},
    });
    await server.settled();
    const deployment = () => cluster.get<Deployment>(`${deployments}/web`);
    const job = () => cluster.get<Job>(`${jobs}/once`);
    t.is((await deployment()).status?.availableReplicas, undefined);
    t.like((await job()).status, {active: 2});
    const uids = async () => (await podsOf(cluster, 'once')).map(({metadata}) => metadata.uid);
    const first = await uids();
    const snapshot = await server.snapshot();

    // Three times: a world goes on until its end, or is torn down, and the snapshot is restored.
    for (const end of ['done', 'done', 'torn down']) {
      await server.advance(60_000);
      await server.settled();
      t.like((await deployment()).status, {replicas: 4, updatedReplicas: 4, availableReplicas: 4}, end);
      t.like((await job()).status, {succeeded: 4});
      t.is(await inPhase(cluster, 'once', 'Succeeded'), 4);
      t.is(await inPhase(cluster, 'web', 'Running'), 4);
      t.is((await podsOf(cluster, 'once')).length, 4);
      t.is((await podsOf(cluster, 'web')).length, 4);
      if (end === 'torn down') {
        await server.client.delete(`${deployments}/web`);
        await server.client.delete(`${jobs}/once?propagationPolicy=Background`);
        await server.settled();
        await server.advance(60_000);
        await server.settled();
        t.deepEqual(await podsOf(cluster, 'web'), []);
      }
      await server.restore(snapshot);
      // What is due is due at a time, which `settled` does not wait for.
      await server.advance(1000);
      await server.settled();
      // The clock does not go back: the pods that ran then end now, and the last ones begin.
      t.like((await job()).status, {active: 2, succeeded: 2}, end);
      const restored = await uids();
      t.is(restored.length, 4);
      t.true(first.every((uid) => restored.includes(uid)));
      t.is((await podsOf(cluster, 'web')).length, 4);
    }
    await server.advance(60_000);
    await server.settled();
    t.like((await deployment()).status, {availableReplicas: 4});
    t.like((await job()).status, {succeeded: 4});
  },
);
