import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {managedBy, ServiceUnderTest} from './service-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-garbagecollector']});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

storeTest('a service has Endpoints with the addresses that are ready, and those that are not', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create(
    {
      clusterIP: 'None',
      ports: [
        {name: 'http', port: 80, targetPort: 8080},
        {name: 'admin', port: 81},
      ],
    },
    {labels: {team: 'shop'}},
  );
  await service.pod('first', 'one', ['10.1.0.1'], {hostname: 'a', subdomain: 'web'});
  await service.pod('second', 'one', ['10.1.0.2'], {}, false);
  const endpoints = await service.endpoints(
    ({subsets}) => subsets?.[0]?.addresses?.length === 1 && subsets[0].notReadyAddresses?.length === 1,
  );
  t.deepEqual(endpoints.metadata.labels, {
    team: 'shop',
    'service.kubernetes.io/headless': '',
    'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
  });
  t.truthy(endpoints.metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time']);
  const [subset] = endpoints.subsets!;
  t.like(subset!.addresses![0], {ip: '10.1.0.1', hostname: 'a', nodeName: 'one', targetRef: {kind: 'Pod', name: 'first'}});
  t.is(subset!.notReadyAddresses![0]!.ip, '10.1.0.2');
  t.deepEqual(subset!.ports, [
    {name: 'admin', port: 81, protocol: 'TCP'},
    {name: 'http', port: 8080, protocol: 'TCP'},
  ]);
  await service.remove('pods', 'first');
  await service.endpoints(({subsets}) => subsets?.[0]?.addresses === undefined);
});

storeTest('Endpoints go with their service, and are made again when they are deleted', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({});
  const {metadata} = await service.endpoints(() => true);
  await service.remove('endpoints', 'web');
  const next = await service.endpoints((endpoints) => endpoints.metadata.uid !== metadata.uid);
  t.deepEqual(next.subsets ?? [], []);
  await service.remove('services', 'web');
  const gone = await eventually(
    () => context.client.get(`${context.path('endpoints')}/web`),
    ({status}) => status === 404,
  );
  t.is(gone.status, 404);
});

storeTest('Endpoints of services without a selector are mirrored in slices, and follow them', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({selector: undefined});
  await service.post(context.path('endpoints'), {
    metadata: {name: 'web', labels: {team: 'shop'}, annotations: {note: 'by hand'}},
    subsets: [{addresses: [{ip: '10.1.0.1'}, {ip: 'fd00::1'}], notReadyAddresses: [{ip: '10.1.0.2', hostname: 'b'}], ports: [{port: 80}]}],
  });
  const slices = await service.slices((found) => found.length === 2);
  const [four, six] = slices.toSorted((one, other) => (one.addressType < other.addressType ? -1 : 1));
  t.like(four, {
    addressType: 'IPv4',
    metadata: {
      generateName: 'web-',
      annotations: {note: 'by hand'},
      labels: {team: 'shop', [managedBy]: 'endpointslicemirroring-controller.k8s.io', 'kubernetes.io/service-name': 'web'},
      ownerReferences: [{kind: 'Endpoints', name: 'web', controller: true}],
    },
    ports: [{port: 80, protocol: 'TCP', name: ''}],
  });
  t.deepEqual(four!.endpoints.map(({addresses, conditions, hostname}) => [addresses[0], conditions?.ready, hostname]).toSorted(), [
    ['10.1.0.1', true, undefined],
    ['10.1.0.2', false, 'b'],
  ]);
  t.deepEqual(six!.endpoints[0]!.addresses, ['fd00::1']);
  const path = `${context.path('endpoints')}/web`;
  await service.patch(path, {subsets: [{addresses: [{ip: '10.1.0.3'}], ports: [{port: 81}]}]});
  const moved = await service.slice(({ports}) => ports?.[0]?.port === 81);
  t.is(moved.metadata.name, four!.metadata.name, 'a slice that would go is used again');
  await service.patch(path, {metadata: {labels: {'endpointslice.kubernetes.io/skip-mirror': 'true'}}});
  await service.slices((found) => found.length === 0);
  await service.patch(path, {metadata: {labels: {'endpointslice.kubernetes.io/skip-mirror': null}}});
  await service.slices((found) => found.length === 1);
  await service.change({spec: {selector: {app: 'web'}}});
  await service.slice(({metadata}) => metadata.labels?.[managedBy] === 'endpointslice-controller.k8s.io');
});
