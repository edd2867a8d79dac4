import {conditionsOf, stateOf, testOnCluster} from './cluster.js';

const clusterTest = testOnCluster('4:zones=a+b');

clusterTest('faults of nodes are one call, and end with another', async (t, cluster) => {
  const {server} = cluster;
  const annotations = async () => (await cluster.nodes()).map(({metadata}) => metadata.annotations?.['simulate.orch/fault'] ?? '');
  {
    await using _zone = await server.faults.zoneDown('b');
    await using _node = await server.faults.nodeDown('node-1');
    t.deepEqual(await annotations(), ['down', 'down', '', 'down']);
  }
  t.deepEqual(await annotations(), ['', '', '', '']);
  const full = await server.faults.nodeFull('node-3', 'pids');
  await server.settled();
  t.true(
    conditionsOf((await cluster.nodes())[2]!).includes('PIDPressure True KubeletHasInsufficientPID kubelet has insufficient PID available'),
  );
  await full.end();
  await server.settled();
  t.true(
    conditionsOf((await cluster.nodes())[2]!).includes('PIDPressure False KubeletHasSufficientPID kubelet has sufficient PID available'),
  );
  await t.throwsAsync(server.faults.nodeDown('nobody'), {message: 'there is no node nobody'});
  await t.throwsAsync(server.faults.zoneDown('c'), {message: 'there is no node in a zone c'});
});

clusterTest('images take a while as long as a test wants it', async (t, cluster) => {
  const slow = await cluster.server.faults.slowPulls('1h');
  await cluster.pod('pulling');
  t.is(stateOf(await cluster.settledPod('pulling')), 'waiting ContainerCreating, 0 restarts');
  await slow.end();
  t.is(stateOf(await cluster.settledPod('pulling')), 'running, 0 restarts');
});
