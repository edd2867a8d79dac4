import type * as core from '@orch-api/orch/types/core/v1';
import {testOnEachStore} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  cluster: true,
  controllers: ['*', '-garbagecollector', '-kube-scheduler', '-nodelifecycle'],
});

storeTest(
  'where nodes are simulated, services get load balancers and give them back, and Ingresses of simulated classes an address',
  async (t, context) => {
    const {client, path} = context;
    const services = path('services');
    const get = async (name: string) => (await client.get(`${services}/${name}`)).json<core.Service>();
    const spec = {type: 'LoadBalancer', ports: [{port: 80}], selector: {app: 'web'}};
    for (const name of ['one', 'two']) await client.post(services, {metadata: {name}, spec});
    t.deepEqual((await get('one')).status?.loadBalancer, {});
    await client.post('/api/v1/nodes', {metadata: {name: `${context.namespace}-node`, annotations: {'simulate.orch/node': 'true'}}});
    const balanced = (name: string) =>
      eventually(
        () => get(name),
        ({status}) => status?.loadBalancer?.ingress?.length === 1,
      );
    const [one, two] = [await balanced('one'), await balanced('two')];
    const [first, second] = [one, two].map(({status}) => status!.loadBalancer!.ingress![0]!.ip!);
    t.regex(first!, /^198\.18\.0\.\d+$/);
    t.not(first, second);
    t.deepEqual(one.metadata.finalizers, ['service.kubernetes.io/load-balancer-cleanup']);
    const events = await eventually(
      async () =>
        (await client.get(path('events'))).json<{items: core.Event[]}>().items.filter(({involvedObject}) => involvedObject.name === 'one'),
      (found) => found.length === 2,
    );
    t.deepEqual(events.map(({type, reason, message, source}) => `${type} ${reason} ${message} (${source?.component})`).toSorted(), [
      'Normal EnsuredLoadBalancer Ensured load balancer (service-controller)',
      'Normal EnsuringLoadBalancer Ensuring load balancer (service-controller)',
    ]);
    await client.patch(`${services}/one`, {spec: {type: 'ClusterIP'}});
    const plain = await eventually(
      () => get('one'),
      ({metadata}) => metadata.finalizers === undefined,
    );
    t.deepEqual(plain.status?.loadBalancer, {});
    await client.delete(`${services}/two`);
    await eventually(
      () => client.get(`${services}/two`),
      ({status}) => status === 404,
    );
    const className = `${context.namespace}-class`;
    const ingress = path('ingresses', 'networking.k8s.io/v1');
    await client.post(ingress, {
      metadata: {name: 'web'},
      spec: {ingressClassName: className, defaultBackend: {service: {name: 'one', port: {number: 80}}}},
    });
    await client.post('/apis/networking.k8s.io/v1/ingressclasses', {
      metadata: {name: className},
      spec: {controller: 'simulate.orch/ingress'},
    });
    const reached = await eventually(
      async () => (await client.get(`${ingress}/web`)).json<{status?: {loadBalancer?: {ingress?: {ip?: string}[]}}}>(),
      ({status}) => status?.loadBalancer?.ingress !== undefined,
    );
    t.deepEqual(reached.status!.loadBalancer!.ingress, [{ip: '198.18.0.0'}]);
  },
);
