import test from 'ava';
import {eventually} from '../../../helpers/eventually.js';
import {webhookService} from '../../../helpers/webhook-service.js';
import {availability, createApiService, startFrontServer, writeExternalService, type Condition} from './front-server.js';

const path = '/apis/apiregistration.orch/v1/apiservices';

test('what a check has found of one service is not said of another that has taken its place meanwhile', async (t) => {
  const {server} = await startFrontServer(t);
  const {client} = server;
  const group = 'moved.example.com';
  let asked = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const good = await webhookService(
    t,
    (_body, response) => {
      asked++;
      void answered.then(() => response.writeHead(200, {'content-type': 'application/json'}).end('{}'));
    },
    {names: ['moved.default.svc']},
  );
  const bad = await webhookService(t, (_body, response) => void response.writeHead(500).end(), {names: ['moved.default.svc']});
  await writeExternalService(server, 'moved');
  const spec = {service: {name: 'moved', namespace: 'default', port: good.port}, insecureSkipTLSVerify: true};
  await createApiService(server, {group, service: 'moved', spec});
  await eventually(
    () => asked,
    (count) => count > 0,
  );
  const changed = await client.patch(`${path}/v1.${group}`, {spec: {service: {port: bad.port}}});
  const {metadata, status} = changed.json<{metadata: {resourceVersion: string}; status: {conditions: Condition[]}}>();
  t.like(status.conditions[0], {status: 'Unknown', reason: 'NotChecked'});
  const watch = client.watch(`${path}?watch=1&fieldSelector=metadata.name=v1.${group}&resourceVersion=${metadata.resourceVersion}`);
  answer();
  await availability(server, `v1.${group}`, 'FailedDiscoveryCheck');
  const seen: string[] = [];
  for await (const {object} of watch) {
    seen.push((object as unknown as {status: {conditions: Condition[]}}).status.conditions[0]!.reason);
    if (seen.at(-1) === 'FailedDiscoveryCheck') break;
  }
  t.deepEqual(seen, ['FailedDiscoveryCheck']);
});
