import test from 'ava';
import {startTwoServers} from '../../../helpers/two-servers.js';
import {eventually} from '../../../helpers/eventually.js';
import {container} from './cluster-under-test.js';
import type {Pod} from '@orch-api/orch/types/unchecked/core/v1';

test('two servers on one store bind each pod once, also when the one that schedules stops', async (t) => {
  const [first, second] = await startTwoServers(t, {platform: 'kubernetes', controllers: ['*', 'kube-scheduler']});
  const allocatable = {cpu: '100', memory: '100Gi', pods: '200'};
  for (const name of ['a', 'b']) {
    await first.client.post('/api/v1/nodes', {metadata: {name}});
    await first.client.patch(`/api/v1/nodes/${name}`, {spec: {taints: null}});
    await first.client.patch(`/api/v1/nodes/${name}/status`, {status: {allocatable}});
  }
  const pods = '/api/v1/namespaces/default/pods';
  const create = async (from: number, server: typeof first) => {
    const made = Array.from({length: 50}, (_, index) =>
      server.client.post(pods, {metadata: {name: `p${from + index}`}, spec: {containers: [container({cpu: '10m'})]}}),
    );
    t.true((await Promise.all(made)).every(({status}) => status === 201));
  };
  await create(0, first);
  await create(50, second);
  const placed = (wanted: number) =>
    eventually(
      async () => (await second.client.get(pods)).json<{items: Pod[]}>().items.filter(({spec}) => spec?.nodeName),
      ({length}) => length === wanted,
    );
  await placed(100);
  await first.stop();
  await create(100, second);
  await placed(150);
  const {items} = (await second.client.get('/api/v1/namespaces/default/events')).json<{
    items: {reason: string; involvedObject: {name: string}}[];
  }>();
  const bound = items.filter(({reason}) => reason === 'Scheduled').map(({involvedObject}) => involvedObject.name);
  t.is(new Set(bound).size, bound.length);
});
