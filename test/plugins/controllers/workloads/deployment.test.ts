import {testOnEachStore} from '../../../helpers/each-store.js';
import {condition, eventually, template, WorkloadUnderTest, type AnyObject} from './workload-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

const spec = (replicas: number, more: object = {}) => ({
  replicas,
  selector: {matchLabels: {app: 'web'}},
  template: template('web'),
  ...more,
});
const revision = 'deployment.kubernetes.io/revision';

/** A Deployment whose pods are all available. */
async function available(deployment: WorkloadUnderTest, replicas: number): Promise<AnyObject> {
  return deployment.runUntil(
    (status) =>
      status['updatedReplicas'] === replicas &&
      status['availableReplicas'] === replicas &&
      status['replicas'] === replicas &&
      Boolean(status.conditions?.some(({reason}) => reason === 'NewReplicaSetAvailable')),
  );
}

/** The ReplicaSets by revision, with their sizes: `1:0 2:3`. */
async function sizes(deployment: WorkloadUnderTest): Promise<string> {
  const sets = await deployment.list('replicasets');
  return sets
    .map(({metadata, spec: {replicas} = {}}) => `${metadata.annotations?.[revision]}:${String(replicas)}`)
    .toSorted()
    .join(' ');
}

const image = (tag: string) => ({spec: {template: {spec: {containers: [{name: 'main', image: `registry.example.com/app:${tag}`}]}}}});

storeTest(
  'a Deployment becomes available through a ReplicaSet of its own, and rolls over to another for a new template',
  async (t, context) => {
    const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(3), {annotations: {note: 'first'}});
    const first = await available(deployment, 3);
    const [set] = await deployment.list('replicasets');
    const name = set!.metadata.name!;
    t.regex(name, /^web-[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
    const hash = name.slice('web-'.length);
    t.like(set!.metadata, {
      labels: {app: 'web', 'pod-template-hash': hash},
      annotations: {
        note: 'first',
        [revision]: '1',
        'deployment.kubernetes.io/desired-replicas': '3',
        'deployment.kubernetes.io/max-replicas': '4',
      },
      ownerReferences: [{kind: 'Deployment', name: 'web', controller: true}],
    });
    t.is(first.metadata.annotations?.[revision], '1');
    t.is(condition(first, 'Available'), 'True MinimumReplicasAvailable Deployment has minimum availability.');
    t.is(condition(first, 'Progressing'), `True NewReplicaSetAvailable ReplicaSet "${name}" has successfully progressed.`);
    await deployment.patch(image('2'));
    await eventually(
      async () => {
        await available(deployment, 3);
        return sizes(deployment);
      },
      (found) => found === '1:0 2:3',
    );
    const events = await eventually(
      () => deployment.events(),
      ({length}) => length >= 7,
    );
    const second = (await deployment.list('replicasets')).find(({metadata}) => metadata.name !== name)!.metadata.name!;
    t.deepEqual(events, [
      `Normal ScalingReplicaSet Scaled up replica set ${name} from 0 to 3 (1)`,
      `Normal ScalingReplicaSet Scaled up replica set ${second} from 0 to 1 (1)`,
      `Normal ScalingReplicaSet Scaled down replica set ${name} from 3 to 2 (1)`,
      `Normal ScalingReplicaSet Scaled up replica set ${second} from 1 to 2 (1)`,
      `Normal ScalingReplicaSet Scaled down replica set ${name} from 2 to 1 (1)`,
      `Normal ScalingReplicaSet Scaled up replica set ${second} from 2 to 3 (1)`,
      `Normal ScalingReplicaSet Scaled down replica set ${name} from 1 to 0 (1)`,
    ]);
  },
);

storeTest(
  'going back to an earlier template takes its ReplicaSet again, under a new revision, with the former one in its history',
  async (t, context) => {
    const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(1));
    await available(deployment, 1);
    const [{metadata}] = (await deployment.list('replicasets')) as [AnyObject];
    for (const [tag, wanted] of [
      ['2', '1:0 2:1'],
      ['3', '1:0 2:0 3:1'],
    ] as const) {
      await deployment.patch(image(tag));
      await eventually(
        async () => {
          await available(deployment, 1);
          return sizes(deployment);
        },
        (found) => found === wanted,
      );
    }
    await deployment.patch({metadata: {annotations: {'deprecated.deployment.rollback.to': '1'}}});
    await eventually(
      async () => {
        await available(deployment, 1);
        return sizes(deployment);
      },
      (found) => found === '2:0 3:0 4:1',
    );
    const again = await deployment.read('replicasets', metadata.name!);
    t.is(again.metadata.annotations?.['deployment.kubernetes.io/revision-history'], '1');
    const back = await deployment.get();
    t.is(back.metadata.annotations?.['deprecated.deployment.rollback.to'], undefined);
    t.is(back.metadata.annotations?.[revision], '4');
    const events = await eventually(
      () => deployment.events(),
      (all) => all.some((text) => text.includes('DeploymentRollback')),
    );
    t.true(events.includes('Normal DeploymentRollback Rolled back deployment "web" to revision 1 (1)'));
  },
);

storeTest('Recreate has all old pods gone before the first new one comes', async (t, context) => {
  const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(2, {strategy: {type: 'Recreate'}}));
  await available(deployment, 2);
  const [pod] = await deployment.pods();
  const name = pod!.metadata!.name!;
  await deployment.send('patch', deployment.path('pods', name), {metadata: {finalizers: ['example.com/hold']}});
  await deployment.patch(image('2'));
  await eventually(
    () => deployment.pods(),
    ({length}) => length === 0,
  );
  const {status} = await deployment.until(({replicas}) => replicas === undefined);
  t.is(status!['updatedReplicas'], undefined);
  t.is((await deployment.list('replicasets')).length, 1);
  await deployment.send('patch', deployment.path('pods', name), {metadata: {finalizers: null}});
  await available(deployment, 2);
  t.is(await sizes(deployment), '1:0 2:2');
});

storeTest('a rollout without progress has failed after its deadline by the clock of the server', async (t, context) => {
  const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(1, {progressDeadlineSeconds: 60}));
  await deployment.until(({unavailableReplicas, replicas}) => unavailableReplicas === 1 && replicas === 1);
  await context.server.advance(62_000);
  const late = await deployment.until(({conditions}) => Boolean(conditions?.some(({reason}) => reason === 'ProgressDeadlineExceeded')));
  t.regex(condition(late, 'Progressing'), /^False ProgressDeadlineExceeded ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/);
  t.is(condition(late, 'Available'), 'False MinimumReplicasUnavailable Deployment does not have minimum availability.');
  const {status} = await available(deployment, 1);
  t.is(status!['unavailableReplicas'], undefined);
});

storeTest('a paused Deployment is scaled and not rolled out, and goes on when it is resumed', async (t, context) => {
  const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(1));
  await available(deployment, 1);
  await deployment.patch({spec: {paused: true}});
  const paused = await deployment.until(({conditions}) => Boolean(conditions?.some(({reason}) => reason === 'DeploymentPaused')));
  t.is(condition(paused, 'Progressing'), 'Unknown DeploymentPaused Deployment is paused');
  await deployment.patch({...image('2'), spec: {...image('2').spec, replicas: 2}});
  await deployment.runUntil(({availableReplicas}) => availableReplicas === 2);
  t.is(await sizes(deployment), '1:2');
  await deployment.patch({spec: {paused: false}});
  await eventually(
    async () => {
      await available(deployment, 2);
      return sizes(deployment);
    },
    (found) => found === '1:0 2:2',
  );
});

storeTest('scaled in the middle of a rollout, a Deployment divides the difference among its ReplicaSets', async (t, context) => {
  const strategy = {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}};
  const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(10, {strategy}));
  await available(deployment, 10);
  await deployment.patch(image('2'));
  // The new pods do not become ready.
  await eventually(
    () => sizes(deployment),
    (found) => found === '1:8 2:5',
  );
  await deployment.until(({observedGeneration, replicas}) => observedGeneration === 2 && replicas === 13);
  await deployment.patch({spec: {replicas: 30}});
  t.is(
    await eventually(
      () => sizes(deployment),
      (found) => !found.includes(':8') && !found.includes(':5'),
    ),
    '1:20 2:13',
  );
});

storeTest('ReplicaSets beyond the limit of the history are deleted, the oldest first', async (t, context) => {
  const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(1, {revisionHistoryLimit: 1}));
  for (const tag of ['2', '3', '4']) {
    await available(deployment, 1);
    await deployment.patch(image(tag));
  }
  await eventually(
    async () => {
      await available(deployment, 1);
      return sizes(deployment);
    },
    (found) => found === '3:0 4:1',
  );
  t.is((await deployment.get()).metadata.annotations?.[revision], '4');
});

storeTest('revisions count on exactly beyond what a double holds', async (t, context) => {
  const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(1));
  await available(deployment, 1);
  const [set] = await deployment.list('replicasets');
  const before = '3546343826724305832';
  await deployment.send('patch', deployment.path('replicasets', set!.metadata.name!), {metadata: {annotations: {[revision]: before}}});
  await deployment.patch(image('2'));
  const found = await eventually(
    async () => (await deployment.list('replicasets')).map(({metadata}) => metadata.annotations?.[revision]),
    ({length}) => length === 2,
  );
  t.deepEqual(found.toSorted(), [before, '3546343826724305833']);
});

storeTest('a name that another ReplicaSet has is a collision, after which the next name is taken', async (t, context) => {
  const deployment = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(0));
  const [set] = await eventually(
    () => deployment.list('replicasets'),
    ({length}) => length === 1,
  );
  const {name} = set!.metadata;
  await deployment.delete('deployments', 'web', '?propagationPolicy=Orphan');
  await eventually(
    () => deployment.list('deployments'),
    ({length}) => length === 0,
  );
  const labels = {app: 'other'};
  await deployment.send('patch', deployment.path('replicasets', name!), {metadata: {labels}});
  const another = await WorkloadUnderTest.create(context, 'deployments', 'web', spec(0));
  const {status} = await another.until(({collisionCount}) => collisionCount === 1);
  t.is(status!['collisionCount'], 1);
  const sets = await eventually(
    () => another.list('replicasets'),
    ({length}) => length === 2,
  );
  t.true(sets.some(({metadata}) => metadata.name !== name && metadata.ownerReferences?.[0]?.kind === 'Deployment'));
});
