import {stateOf, testOnCluster} from './cluster.js';

const clusterTest = testOnCluster('2:zones=a+b');

clusterTest('a Stage says how the pods behave that it selects, and annotations of a pod come first', async (t, cluster) => {
  await cluster.stage('slow', {nodeSelector: {'topology.kubernetes.io/zone': 'a'}, behaviour: {pull: '10s'}});
  await cluster.stage('failing', {selector: {matchLabels: {tier: 'bad'}}, priority: 1, behaviour: {'exit-code': '1'}});
  const place = (node: string) => ({nodeName: node, restartPolicy: 'Never'});
  await cluster.pod('in-a', {}, place('node-1'));
  await cluster.pod('quick', {pull: '0s'}, place('node-1'));
  await cluster.pod('in-b', {}, place('node-2'));
  await cluster.create('/api/v1/namespaces/default/pods', {
    metadata: {name: 'bad', labels: {tier: 'bad'}},
    spec: {...place('node-2'), containers: [{name: 'main', image: 'registry.example.com/app:1'}]},
  });
  const states = async () => Promise.all(['in-a', 'quick', 'in-b', 'bad'].map(async (name) => stateOf(await cluster.settledPod(name))));
  t.deepEqual(await states(), [
    'waiting ContainerCreating, 0 restarts',
    'running, 0 restarts',
    'running, 0 restarts',
    'terminated Error 1, 0 restarts',
  ]);
  await cluster.server.advance(10_000);
  t.is((await states())[0], 'running, 0 restarts');
  await cluster.remove('/apis/simulate.orch/v1alpha1/stages/slow');
  await cluster.remove('/apis/simulate.orch/v1alpha1/stages/failing');
});

clusterTest('steps of a Stage happen after their delays, once for as long as what they wait for is so', async (t, cluster) => {
  await cluster.stage('gate', {
    steps: [
      {
        when: {phases: ['Running']},
        delay: '5s',
        status: {conditions: null, reason: 'Stepped'},
        event: {type: 'Warning', reason: 'Stepped', message: 'a step has happened'},
      },
      {when: {phases: ['Running']}, delay: '20s', finalizers: {add: ['example.com/kept']}, delete: true},
      {when: {deleted: true, phases: ['Failed']}, delay: '30s', finalizers: {remove: ['example.com/kept']}},
    ],
  });
  await cluster.pod('stepping');
  await cluster.server.settled();
  await cluster.server.advance(5000);
  t.is((await cluster.settledPod('stepping')).status!.reason, 'Stepped');
  t.true((await cluster.events('stepping')).includes('Stepped: a step has happened'));
  await cluster.server.advance(15_000);
  const leaving = await cluster.settledPod('stepping');
  t.deepEqual(leaving.metadata.finalizers, ['example.com/kept']);
  t.is(leaving.status!.phase, 'Failed');
  await cluster.server.advance(31_000);
  await cluster.server.settled();
  t.is((await cluster.server.client.get('/api/v1/namespaces/default/pods/stepping')).status, 404);
  await cluster.remove('/apis/simulate.orch/v1alpha1/stages/gate');
});

clusterTest('a Stage can take the place of the built-in rules', async (t, cluster) => {
  await cluster.stage('own', {
    replacesBuiltIn: true,
    steps: [{when: {phases: ['Pending']}, delay: '1s', status: {phase: 'Running', message: 'by a stage'}}],
  });
  await cluster.pod('special');
  t.is((await cluster.settledPod('special')).status!.phase, 'Pending');
  await cluster.server.advance(1000);
  t.like((await cluster.settledPod('special')).status, {phase: 'Running', message: 'by a stage', containerStatuses: undefined});
  await cluster.remove('/apis/simulate.orch/v1alpha1/stages/own');
});

clusterTest('the type Stage is served where nodes are simulated, and refuses words that it does not know', async (t, cluster) => {
  await t.throwsAsync(cluster.stage('wrong', {steps: [{when: {phases: ['Sleeping']}}]}), {message: /Unsupported value: \\"Sleeping\\"/});
});

clusterTest('a Stage can be for containers with some images alone', async (t, cluster) => {
  await cluster.stage('no-such-image', {images: ['*/app:404', 'exactly'], behaviour: {'image-error': 'manifest unknown'}});
  const image = (name: string, ...images: string[]) =>
    cluster.pod(name, {}, {containers: images.map((one, index) => ({name: `c${index}`, image: one}))});
  await image('missing', 'registry.example.com/app:404');
  await image('mixed', 'registry.example.com/app:4040', 'exactly');
  await cluster.pod('in-init', {}, {initContainers: [{name: 'first', image: 'registry.example.com/app:404'}]});
  t.is(stateOf(await cluster.settledPod('missing')), 'waiting ErrImagePull, 0 restarts');
  const mixed = await cluster.settledPod('mixed');
  t.is(stateOf(mixed), 'running, 0 restarts');
  t.is(stateOf(mixed, 1), 'waiting ErrImagePull, 0 restarts');
  t.is((await cluster.settledPod('in-init')).status!.initContainerStatuses![0]!.state!.waiting!.reason, 'ErrImagePull');
  await cluster.remove('/apis/simulate.orch/v1alpha1/stages/no-such-image');
});
