import {testOnEachStore} from '../../../helpers/each-store.js';
import {ServiceUnderTest} from './service-under-test.js';

// Hints go by all nodes that there are: one test has the server alone.
const storeTest = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-garbagecollector']});

storeTest('endpoints are shared out between zones by their processors, and events say what came of it', async (t, context) => {
  const service = new ServiceUnderTest(context);
  await service.create({}, {annotations: {'service.kubernetes.io/topology-mode': 'Auto'}});
  const north = await service.node('one', 'north', '6');
  const south = await service.node('two', 'south', '2');
  for (let index = 1; index <= 4; index += 1) await service.pod(`north-${index}`, north, [`10.1.0.${index}`]);
  const few = await service.events('TopologyAwareHintsDisabled');
  t.true(
    few.includes(
      'Warning TopologyAwareHintsDisabled Insufficient number of endpoints (0 endpoints, 2 zones), addressType: IPv4 (endpoint-slice-controller)',
    ) || few.some((text) => text.includes('Insufficient Node information: allocatable CPU or zone not specified on one or more nodes')),
    few.join('\n'),
  );
  const {endpoints} = await service.slice((slice) => slice.endpoints?.length === 4 && slice.endpoints.every(({hints}) => hints));
  const zones = endpoints.map(({hints}) => hints!.forZones![0]!.name).toSorted();
  t.deepEqual(zones, ['north', 'north', 'north', 'south']);
  const enabled = await service.events('TopologyAwareHintsEnabled');
  t.true(
    enabled.includes(
      'Normal TopologyAwareHintsEnabled Topology Aware Hints has been enabled, addressType: IPv4 (endpoint-slice-controller)',
    ),
  );
  await context.client.delete(`/api/v1/nodes/${south}`);
  await service.slice((slice) => slice.endpoints.every(({hints}) => hints === undefined));
  t.true(
    (await service.events('TopologyAwareHintsDisabled')).some((text) =>
      text.startsWith('Warning TopologyAwareHintsDisabled Insufficient Node information'),
    ),
  );
  await context.client.delete(`/api/v1/nodes/${north}`);
});
