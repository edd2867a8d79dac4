import {testOnCluster} from './cluster.js';

const clusterTest = testOnCluster(2, {flags: {'service-cluster-ip-range': ['10.96.0.0/16', 'fd00:10:96::/112']}});

clusterTest('nodes and pods have an address of each family that services have', async (t, cluster) => {
  const [node, other] = await cluster.nodes();
  t.deepEqual(
    node!.status!.addresses!.map(({type, address}) => [type, address!.includes(':')]),
    [
      ['InternalIP', false],
      ['InternalIP', true],
      ['Hostname', false],
    ],
  );
  const {podCIDR, podCIDRs} = node!.spec!;
  t.deepEqual([podCIDRs![0], podCIDRs!.length], [podCIDR, 2]);
  t.is(new Set([...podCIDRs!, ...other!.spec!.podCIDRs!]).size, 4);
  await cluster.pod('first', {}, {nodeName: 'node-1'});
  await cluster.pod('second', {}, {nodeName: 'node-1'});
  const pods = [await cluster.settledPod('first'), await cluster.settledPod('second')];
  const addresses = pods.map(({status}) => status!.podIPs!.map(({ip}) => ip!));
  t.deepEqual(
    addresses.map((ips) => ips.map((ip) => ip.includes(':'))),
    [
      [false, true],
      [false, true],
    ],
  );
  t.is(new Set(addresses.flat()).size, 4);
  t.deepEqual(
    pods[0]!.status!.hostIPs!.map(({ip}) => ip),
    node!.status!.addresses!.slice(0, 2).map(({address}) => address),
  );
  await cluster.create('/api/v1/namespaces/default/services', {
    metadata: {name: 'both'},
    spec: {ipFamilyPolicy: 'RequireDualStack', selector: {app: 'both'}, ports: [{port: 80}]},
  });
  await cluster.create('/api/v1/namespaces/default/pods', {
    metadata: {name: 'behind', labels: {app: 'both'}},
    spec: {containers: [{name: 'main', image: 'app:1'}]},
  });
  await cluster.server.settled();
  const slices = await cluster.get<{items: {addressType: string; endpoints: {addresses: string[]}[]}[]}>(
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name=both',
  );
  const behind = await cluster.settledPod('behind');
  t.deepEqual(
    slices.items.map(({addressType, endpoints}) => [addressType, endpoints[0]!.addresses[0]]).toSorted(),
    behind.status!.podIPs!.map(({ip}) => [ip!.includes(':') ? 'IPv6' : 'IPv4', ip]),
  );
});
