import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';

test('events of both groups are found by fields in the spelling of either', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const event = (name: string, kind: string) => ({
    metadata: {name},
    involvedObject: {kind, name: 'x', namespace: 'default'},
    reason: 'Tested',
    reportingComponent: 'tester.example.com',
  });
  for (const [name, kind] of [
    ['a', 'Pod'],
    ['b', 'Node'],
  ] as const) {
    t.is((await server.client.post('/api/v1/namespaces/default/events', event(name, kind))).status, 201);
  }
  const names = async (path: string) =>
    (await server.client.get(path)).json<{items: {metadata: {name: string}}[]}>().items.map(({metadata}) => metadata.name);
  t.deepEqual(await names('/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.kind=Pod'), ['a']);
  t.deepEqual(await names('/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind=Node'), ['b']);
  t.deepEqual(await names('/apis/events.k8s.io/v1/events?fieldSelector=reportingController=tester.example.com'), ['a', 'b']);
});
