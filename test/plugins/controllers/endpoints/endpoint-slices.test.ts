import {testOnEachStore} from '../../../helpers/each-store.js';
import {addresses, managedBy, ServiceUnderTest} from './service-under-test.js';

const eachStore = testOnEachStore({
  platform: 'kubernetes',
  cluster: true,
  controllers: ['*', '-garbagecollector'],
  flags: {'service-cluster-ip-range': ['10.20.0.0/16', 'fd00:20::/112']},
});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

storeTest('a service has a slice with the addresses of the pods that it selects', async (t, context) => {
  const service = new ServiceUnderTest(context);
  const made = await service.create({}, {labels: {team: 'shop', [managedBy]: 'nobody'}});
  const empty = await service.slice(() => true);
  t.like(empty, {addressType: 'IPv4', metadata: {generateName: 'web-'}});
  t.like(empty, {endpoints: null, ports: null});
  const node = await service.node('one', 'north');
  await service.pod('first', node, ['10.1.0.1']);
  await service.pod('second', node, ['10.1.0.2'], {}, false);
  const slice = await service.slice(({endpoints}) => endpoints?.length === 2);
  t.is(slice.metadata.name, empty.metadata.name, 'the slice without endpoints is used again');
  t.deepEqual(slice.metadata.labels, {
    team: 'shop',
    'kubernetes.io/service-name': 'web',
    [managedBy]: 'endpointslice-controller.k8s.io',
  });
  t.deepEqual(slice.metadata.ownerReferences, [
    {apiVersion: 'v1', kind: 'Service', name: 'web', uid: made.metadata.uid!, controller: true, blockOwnerDeletion: true},
  ]);
  t.is(slice.metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time'], '2026-01-02T03:04:05Z');
  t.deepEqual(slice.ports, [{name: 'http', port: 8080, protocol: 'TCP'}]);
  const [first, second] = slice.endpoints.toSorted((one, other) => (one.addresses[0]! < other.addresses[0]! ? -1 : 1));
  t.like(first, {
    addresses: ['10.1.0.1'],
    conditions: {ready: true, serving: true, terminating: false},
    nodeName: node,
    zone: 'north',
    targetRef: {kind: 'Pod', name: 'first', namespace: context.namespace},
  });
  t.deepEqual(second!.conditions, {ready: false, serving: false, terminating: false});
});

storeTest('pods that are being deleted go on serving, and leave the slice when they have ended', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({});
  const node = await service.node('one');
  await service.pod('first', node, ['10.1.0.1']);
  await service.slice(({endpoints}) => endpoints?.[0]?.conditions?.ready === true);
  await service.remove('pods', 'first');
  const going = await service.slice(({endpoints}) => endpoints?.[0]?.conditions?.terminating === true);
  t.deepEqual(going.endpoints[0]!.conditions, {ready: false, serving: true, terminating: true});
  await service.mark('first', false, {phase: 'Succeeded'});
  await service.slice(({endpoints}) => (endpoints ?? []).length === 0);
});

storeTest(
  'ports by name lead to the ports that pods have by that name, and pods with other ports are in another slice',
  async (t, context) => {
    const service = new ServiceUnderTest(context);
    await service.create({ports: [{port: 80, targetPort: 'web'}]});
    const node = await service.node('one');
    const container = (containerPort: number) => ({
      containers: [{name: 'main', image: 'registry.example.com/app:1', ports: [{name: 'web', containerPort}]}],
    });
    await service.pod('first', node, ['10.1.0.1'], container(8080));
    await service.pod('second', node, ['10.1.0.2'], container(9090));
    await service.pod('third', node, ['10.1.0.3'], container(9090));
    const slices = await service.slices((found) => found.flatMap(addresses).length === 3);
    const byPort = Object.fromEntries(slices.map((slice) => [slice.ports?.[0]?.port, addresses(slice)]));
    t.deepEqual(byPort, {8080: ['10.1.0.1'], 9090: ['10.1.0.2', '10.1.0.3']});
  },
);

storeTest('a service of two families has a slice for each, and one that loses a family loses its slices', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({clusterIP: 'None', ipFamilyPolicy: 'RequireDualStack'});
  const node = await service.node('one');
  await service.pod('first', node, ['10.1.0.1', 'fd00::1'], {hostname: 'one', subdomain: 'web'});
  const slices = await service.slices((found) => found.flatMap(addresses).length === 2);
  t.deepEqual(slices.map((slice) => [slice.addressType, ...addresses(slice)]).toSorted(), [
    ['IPv4', '10.1.0.1'],
    ['IPv6', 'fd00::1'],
  ]);
  t.true(slices.every(({metadata}) => metadata.labels?.['service.kubernetes.io/headless'] === ''));
  t.true(slices.every(({endpoints}) => endpoints[0]!.hostname === 'one'));
  await service.change({spec: {ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4']}});
  const left = await service.slice(({addressType}) => addressType === 'IPv4');
  t.deepEqual(addresses(left), ['10.1.0.1']);
});

storeTest('with publishNotReadyAddresses all pods take traffic, also those whose node is not there', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({publishNotReadyAddresses: true});
  await service.pod('first', 'nowhere', ['10.1.0.1'], {}, false);
  const {endpoints} = await service.slice((slice) => slice.endpoints?.length === 1);
  t.deepEqual(endpoints[0]!.conditions, {ready: true, serving: false, terminating: false});
});

storeTest('a pod whose node is not there is left out until it is, and an event says so', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({});
  const name = `${context.namespace}-late`;
  await service.pod('first', name, ['10.1.0.1']);
  const events = await service.events('FailedToUpdateEndpointSlices');
  t.deepEqual(events, [
    `Warning FailedToUpdateEndpointSlices Error updating Endpoint Slices for Service ${context.namespace}/web: skipping Pod first for Service ${context.namespace}/web: Node ${name} Not Found (endpoint-slice-controller)`,
  ]);
  await service.node('late');
  await service.slice(({endpoints}) => endpoints?.length === 1);
});

storeTest('what others change in a slice is mended, and what others delete is made again', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({}, {labels: {team: 'shop'}});
  const node = await service.node('one');
  await service.pod('first', node, ['10.1.0.1']);
  const {metadata} = await service.slice(({endpoints}) => endpoints?.length === 1);
  const path = `${context.path('endpointslices', 'discovery.k8s.io/v1')}/${metadata.name}`;
  await service.patch(path, {endpoints: []});
  await service.slice(({endpoints}) => endpoints?.length === 1);
  await service.patch(path, {metadata: {labels: {team: 'other'}}});
  await service.slice((slice) => slice.metadata.labels?.['team'] === 'shop');
  await context.client.delete(path);
  const next = await service.slice((slice) => slice.metadata.uid !== metadata.uid);
  t.deepEqual(addresses(next), ['10.1.0.1']);
});

storeTest('services without a selector and external names get no slices', async (t, context) => {
  await new ServiceUnderTest(context, 'manual').create({selector: undefined});
  await new ServiceUnderTest(context, 'outside').create({type: 'ExternalName', externalName: 'example.com', ports: undefined});
  const service = new ServiceUnderTest(context);
  await service.create({});
  await service.slice(() => true);
  for (const name of ['manual', 'outside']) t.deepEqual(await new ServiceUnderTest(context, name).slices(() => true), []);
});

storeTest('endpoints prefer their zone or their node, as the service says', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({trafficDistribution: 'PreferClose'});
  const node = await service.node('one', 'north');
  await service.pod('first', node, ['10.1.0.1']);
  const near = await service.slice(({endpoints}) => endpoints?.[0]?.hints !== undefined);
  t.deepEqual(near.endpoints[0]!.hints, {forZones: [{name: 'north'}]});
  await service.change({spec: {trafficDistribution: 'PreferSameNode'}});
  const nearer = await service.slice(({endpoints}) => endpoints?.[0]?.hints?.forNodes !== undefined);
  t.deepEqual(nearer.endpoints[0]!.hints, {forZones: [{name: 'north'}], forNodes: [{name: node}]});
  await service.change({spec: {trafficDistribution: null}});
  await service.slice(({endpoints}) => endpoints?.[0]?.hints === undefined);
});
