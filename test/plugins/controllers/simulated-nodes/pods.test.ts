import type {Pod} from '@orch-api/orch/types/unchecked/core/v1';
import {eventually} from '../../../helpers/eventually.js';
import {conditionsOf, stateOf, testOnCluster} from './cluster.js';

const clusterTest = testOnCluster(3);

clusterTest('a pod runs and is ready at once, with the status and the events of a kubelet', async (t, cluster) => {
  await cluster.pod('web');
  const pod = await cluster.settledPod('web');
  const node = (await cluster.nodes()).find(({metadata}) => metadata.name === pod.spec!.nodeName);
  const {status = {}} = pod;
  t.is(status.phase, 'Running');
  t.is(status.hostIP, node!.status!.addresses![0]!.address);
  t.deepEqual(status.hostIPs, [{ip: status.hostIP}]);
  t.deepEqual(status.podIPs, [{ip: status.podIP}]);
  t.is(status.podIP!.split('.', 3).join('.'), node!.spec!.podCIDR!.split('.', 3).join('.'));
  t.is(status.qosClass, 'BestEffort');
  t.truthy(status.startTime);
  t.deepEqual(conditionsOf(pod), [
    'ContainersReady True',
    'Initialized True',
    'PodReadyToStartContainers True',
    'PodScheduled True',
    'Ready True',
  ]);
  t.true(status.conditions!.every(({observedGeneration}) => observedGeneration === pod.metadata.generation));
  t.is(status.observedGeneration, pod.metadata.generation);
  const [container] = status.containerStatuses!;
  t.like(container, {name: 'main', image: 'registry.example.com/app:1', ready: true, started: true, restartCount: 0, lastState: {}});
  t.regex(container!.containerID!, /^simulated:\/\/[0-9a-f]{64}$/);
  t.regex(container!.imageID!, /^registry\.example\.com\/app@sha256:[0-9a-f]{64}$/);
  t.truthy(container!.state!.running!.startedAt);
  t.deepEqual(await cluster.events('web'), [
    'Pulling: Pulling image "registry.example.com/app:1"',
    'Pulled: Successfully pulled image "registry.example.com/app:1" in 0s (0s including waiting). Image size: 0 bytes.',
    'Created: Container created',
    'Started: Container started',
  ]);
});

clusterTest('a Deployment of three becomes available', async (t, cluster) => {
  await cluster.create('/apis/apps/v1/namespaces/default/deployments', {
    metadata: {name: 'web'},
    spec: {
      replicas: 3,
      selector: {matchLabels: {app: 'web'}},
      template: {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'main', image: 'registry.example.com/app:1'}]}},
    },
  });
  await cluster.server.settled();
  t.like(await cluster.get('/apis/apps/v1/namespaces/default/deployments/web'), {status: {availableReplicas: 3, readyReplicas: 3}});
  const {items} = await cluster.get<{items: Pod[]}>('/api/v1/namespaces/default/pods?labelSelector=app%3Dweb');
  t.is(new Set(items.map(({spec}) => spec!.nodeName)).size, 3);
});

clusterTest('a container whose command is an exit ends with its code, unless an annotation says otherwise', async (t, cluster) => {
  const container = {name: 'main', image: 'registry.example.com/app:1', command: ['sh', '-c', 'exit 7']};
  await cluster.pod('ends', {}, {restartPolicy: 'Never', containers: [container]});
  await cluster.pod('stays', {after: 'never'}, {restartPolicy: 'Never', containers: [container]});
  const ended = await cluster.settledPod('ends');
  t.is(ended.status!.phase, 'Failed');
  t.is(ended.status!.containerStatuses![0]!.state!.terminated!.exitCode, 7);
  t.is((await cluster.settledPod('stays')).status!.phase, 'Running');
});

clusterTest('a pod of a Job is seen to run and completes, and the Job with it', async (t, cluster) => {
  await cluster.create('/apis/batch/v1/namespaces/default/jobs', {
    metadata: {name: 'once'},
    spec: {template: {spec: {restartPolicy: 'Never', containers: [{name: 'main', image: 'registry.example.com/job:1'}]}}},
  });
  await cluster.server.settled();
  t.like(await cluster.get('/apis/batch/v1/namespaces/default/jobs/once'), {status: {succeeded: 1}});
  const {items} = await cluster.get<{items: Pod[]}>('/api/v1/namespaces/default/pods?labelSelector=job-name%3Donce');
  t.is(items[0]!.status!.phase, 'Succeeded');
  t.is(stateOf(items[0]!), 'terminated Completed 0, 0 restarts');
  t.true(conditionsOf(items[0]!).includes('Ready False PodCompleted'));
});

clusterTest('a container that fails is started again after growing pauses, and an hour of that passes at once', async (t, cluster) => {
  await cluster.pod('crashing', {'exit-code': '3', after: '60s'});
  t.is(stateOf(await cluster.settledPod('crashing')), 'running, 0 restarts');
  await cluster.server.advance(90_000);
  t.is(stateOf(await cluster.settledPod('crashing')), 'running, 1 restarts, before Error 3');
  // Runs end after 60, 120, 190 and 270 seconds.
  await cluster.server.advance(107_000);
  const looping = await cluster.settledPod('crashing');
  t.is(stateOf(looping), 'waiting CrashLoopBackOff, 2 restarts, before Error 3');
  t.regex(
    looping.status!.containerStatuses![0]!.state!.waiting!.message!,
    /^back-off 20s restarting failed container=main pod=crashing_default\([-0-9a-f]{36}\)$/,
  );
  t.is(looping.status!.phase, 'Running');
  t.true(conditionsOf(looping).includes('Ready False ContainersNotReady containers with unready status: [main]'));
  await cluster.server.advance(3_600_000);
  const later = await cluster.settledPod('crashing');
  // After 40, 80, 160 and then 300 seconds between runs of a minute.
  const {restartCount} = later.status!.containerStatuses![0]!;
  t.true(restartCount! >= 13 && restartCount! <= 14, String(restartCount));
  t.true(
    (await cluster.events('crashing')).some((event) =>
      event.startsWith('BackOff: Back-off restarting failed container main in pod crashing_default('),
    ),
  );
});

clusterTest('an image that cannot be pulled is tried again after growing pauses', async (t, cluster) => {
  await cluster.pod('missing', {'image-error': 'manifest unknown'});
  const failed = await cluster.settledPod('missing');
  t.is(stateOf(failed), 'waiting ErrImagePull, 0 restarts');
  t.is(failed.status!.phase, 'Pending');
  await cluster.server.advance(1000);
  const waiting = await cluster.settledPod('missing');
  t.is(stateOf(waiting), 'waiting ImagePullBackOff, 0 restarts');
  t.is(
    waiting.status!.containerStatuses![0]!.state!.waiting!.message,
    'Back-off pulling image "registry.example.com/app:1": ErrImagePull: manifest unknown',
  );
  await cluster.patch('/api/v1/namespaces/default/pods/missing', {metadata: {annotations: {'simulate.orch/image-error': null}}});
  await cluster.server.advance(10_000);
  t.is(stateOf(await cluster.settledPod('missing')), 'running, 0 restarts');
});

clusterTest('init containers run in order, sidecars stay, and a pod that is slow says what it waits for', async (t, cluster) => {
  const image = 'registry.example.com/app:1';
  await cluster.pod(
    'staged',
    {pull: '5s', ready: '2s', 'first.after': '3s'},
    {
      initContainers: [
        {name: 'first', image},
        {name: 'side', image, restartPolicy: 'Always'},
        {name: 'second', image},
      ],
    },
  );
  const first = await cluster.settledPod('staged');
  t.is(first.status!.phase, 'Pending');
  t.is(stateOf(first), 'waiting PodInitializing, 0 restarts');
  t.true(conditionsOf(first).includes('Initialized False ContainersNotInitialized containers with incomplete status: [first side second]'));
  t.truthy(first.status!.initContainerStatuses![0]!.state!.running);
  t.truthy(first.status!.initContainerStatuses![1]!.state!.waiting);
  await cluster.server.advance(3000);
  const pulling = await cluster.settledPod('staged');
  t.deepEqual(
    pulling.status!.initContainerStatuses!.map(({state, ready, started}) => [Object.keys(state!)[0], ready, started]),
    [
      ['terminated', true, false],
      ['running', true, true],
      ['terminated', true, false],
    ],
  );
  t.true(conditionsOf(pulling).includes('Initialized True'));
  t.is(pulling.status!.phase, 'Pending');
  await cluster.server.advance(5000);
  const running = await cluster.settledPod('staged');
  t.is(running.status!.phase, 'Running');
  t.true(conditionsOf(running).includes('Ready False ContainersNotReady containers with unready status: [main]'));
  await cluster.server.advance(2000);
  t.true(conditionsOf(await cluster.settledPod('staged')).includes('Ready True'));
});

clusterTest('a pod that is deleted ends its containers, says how they ended, and is gone', async (t, cluster) => {
  await cluster.pod('leaving', {terminate: '5s'}, {terminationGracePeriodSeconds: 30});
  await cluster.server.settled();
  await cluster.patch('/api/v1/namespaces/default/pods/leaving', {metadata: {finalizers: ['example.com/keep']}});
  await cluster.server.client.delete('/api/v1/namespaces/default/pods/leaving');
  t.is(stateOf(await cluster.settledPod('leaving')), 'running, 0 restarts');
  t.true((await cluster.events('leaving')).includes('Killing: Stopping container main'));
  await cluster.server.advance(5000);
  const ended = await cluster.settledPod('leaving');
  t.is(ended.status!.phase, 'Failed');
  t.is(stateOf(ended), 'terminated Error 143, 0 restarts');
  t.is(Number(ended.metadata.deletionGracePeriodSeconds), 0);
  await cluster.patch('/api/v1/namespaces/default/pods/leaving', {metadata: {finalizers: null}});
  await cluster.server.settled();
  t.is((await cluster.server.client.get('/api/v1/namespaces/default/pods/leaving')).status, 404);
});

clusterTest('a pod that has ended goes although its removal failed at first', async (t, cluster) => {
  const path = '/api/v1/namespaces/default/pods/refused';
  await cluster.pod('refused', {terminate: '5s'}, {terminationGracePeriodSeconds: 30});
  await cluster.settledPod('refused');
  await cluster.server.client.delete(path);
  await cluster.server.settled();
  const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const removals = {apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['DELETE']};
  const nobody = {clientConfig: {url: 'https://127.0.0.1:1/'}, sideEffects: 'None', admissionReviewVersions: ['v1']};
  t.teardown(() => cluster.remove(`${hooks}/refusing`));
  await cluster.create(hooks, {metadata: {name: 'refusing'}, webhooks: [{name: 'refusing.example.com', rules: [removals], ...nobody}]});
  await cluster.server.advance(5000);
  await eventually(
    async () => (await cluster.server.client.get(path)).json<Pod>().status?.phase,
    (phase) => phase === 'Failed',
  );
  await cluster.remove(`${hooks}/refusing`);
  await eventually(
    async () => {
      await cluster.server.advance(1000);
      return (await cluster.server.client.get(path)).status;
    },
    (status) => status === 404,
  );
  t.pass();
});

clusterTest('a preStop hook that sleeps keeps a deleted pod, within its grace period', async (t, cluster) => {
  const path = '/api/v1/namespaces/default/pods';
  const sleeping =
    (preStop: object, annotations: Record<string, string> = {}) =>
    (name: string, terminationGracePeriodSeconds: number) =>
      cluster.pod(name, annotations, {
        terminationGracePeriodSeconds,
        containers: [{name: 'main', image: 'registry.example.com/app:1', lifecycle: {preStop}}],
      });
  await sleeping({sleep: {seconds: 10}})('sleeps', 30);
  await sleeping({exec: {command: ['/bin/sh', '-c', 'sleep 15']}}, {terminate: '5s'})('runs', 30);
  await sleeping({sleep: {seconds: 20}}, {terminate: '30s'})('overslept', 20);
  await cluster.server.settled();
  for (const name of ['sleeps', 'runs', 'overslept']) {
    await cluster.patch(`${path}/${name}`, {metadata: {finalizers: ['example.com/keep']}});
    await cluster.server.client.delete(`${path}/${name}`);
  }
  const states = async () => Promise.all(['sleeps', 'runs', 'overslept'].map(async (name) => stateOf(await cluster.settledPod(name))));
  const running = 'running, 0 restarts';
  await cluster.server.advance(9000);
  t.deepEqual(await states(), [running, running, running]);
  await cluster.server.advance(1500);
  const asked = 'terminated Error 143, 0 restarts';
  t.deepEqual(await states(), [asked, running, running]);
  await cluster.server.advance(10_000);
  t.deepEqual(await states(), [asked, asked, running], 'two seconds are left after a hook of the whole grace period');
  await cluster.server.advance(2000);
  t.deepEqual(await states(), [asked, asked, 'terminated Error 137, 0 restarts']);
  for (const name of ['sleeps', 'runs', 'overslept']) await cluster.patch(`${path}/${name}`, {metadata: {finalizers: null}});
});

clusterTest('a pod ends after its deadline, and one that is evicted says why', async (t, cluster) => {
  await cluster.pod('limited', {}, {activeDeadlineSeconds: 60});
  await cluster.pod('evicted', {evict: '10s', message: 'The node was low on resource: memory. '});
  await cluster.server.settled();
  await cluster.server.advance(61_000);
  const limited = await cluster.settledPod('limited');
  t.like(limited.status, {
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  });
  const evicted = await cluster.settledPod('evicted');
  t.like(evicted.status, {phase: 'Failed', reason: 'Evicted'});
  t.true(conditionsOf(evicted).some((condition) => condition.startsWith('DisruptionTarget True TerminationByKubelet')));
});

clusterTest('a pod whose resources change says what its containers may use now', async (t, cluster) => {
  const containers = (cpu: string) => [{name: 'main', image: 'registry.example.com/app:1', resources: {requests: {cpu}}}];
  await cluster.pod('growing', {}, {containers: containers('100m')});
  await cluster.server.settled();
  await cluster.patch('/api/v1/namespaces/default/pods/growing/resize', {spec: {containers: containers('200m')}});
  const pod = await cluster.settledPod('growing');
  t.like(pod.status!.containerStatuses![0], {resources: {requests: {cpu: '200m'}}, allocatedResources: {cpu: '200m'}, restartCount: 0});
  t.is(pod.status!.observedGeneration, pod.metadata.generation);
});

clusterTest('a pod that is ready by its probes is so when they would first be sent', async (t, cluster) => {
  const probe = (initialDelaySeconds: number) => ({tcpSocket: {port: 80}, initialDelaySeconds});
  await cluster.pod(
    'probed',
    {startup: 'probe', ready: 'probe'},
    {containers: [{name: 'main', image: 'app:1', startupProbe: probe(5), readinessProbe: probe(20)}]},
  );
  t.like((await cluster.settledPod('probed')).status!.containerStatuses![0], {started: false, ready: false});
  await cluster.server.advance(5000);
  t.like((await cluster.settledPod('probed')).status!.containerStatuses![0], {started: true, ready: false});
  await cluster.server.advance(15_000);
  t.like((await cluster.settledPod('probed')).status!.containerStatuses![0], {started: true, ready: true});
});
