import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {parseMetrics, samplesOf} from '../../../helpers/metrics-text.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {userClient} from '../../../helpers/user-client.js';

const watched = '/api/v1/configmaps?watch=1';

async function start(t: ExecutionContext, limits: Readonly<Record<string, number>>) {
  const {logger, lines} = recordingLogger();
  const server: TestServer = await startTestServer({logger, limits, authorizationMode: ['AlwaysAllow']});
  t.teardown(() => server.stop());
  const clients = await Promise.all([
    userClient(t, server, 'someone'),
    userClient(t, server, 'other'),
    userClient(t, server, 'root', ['system:masters']),
  ]);
  return {clients, acted: () => lines.map(({fields}) => fields['limit']).filter((limit) => limit !== undefined)};
}

test('the watches of one user are limited, those of administrators are not, and one that ends makes room', async (t) => {
  const {clients, acted} = await start(t, {maxWatchesPerUser: 2});
  const [someone, other, root] = clients;
  const first = await someone!.watch(watched);
  const open = [await someone!.watch(watched)];
  const refused = await someone!.get(watched);
  t.is(refused.status, 429);
  t.is(refused.headers['retry-after'], '5');
  t.regex(refused.text, /user \\"someone\\" has too many watches open/);
  t.deepEqual(acted(), ['maxWatchesPerUser']);
  t.is((await someone!.get('/api/v1/configmaps')).status, 200);
  open.push(await other!.watch(watched));
  for (let index = 0; index < 3; index++) open.push(await root!.watch(watched));
  first.close();
  await eventually(
    () => someone!.get(`${watched}&timeoutSeconds=1`),
    ({status}) => status === 200,
  );
  for (const watch of open) watch.close();
});

test('watches are limited in all, and so are requests that last in other ways', async (t) => {
  const {clients, acted} = await start(t, {maxWatches: 3});
  const [, other, root] = clients;
  const open = await Promise.all(clients.map((client) => client.watch(watched)));
  t.is((await root!.get(watched)).status, 429);
  t.is((await other!.get('/api/v1/namespaces/default/pods/p/log')).status, 429);
  t.is((await other!.get('/api/v1/namespaces/default/pods/p')).status, 404);
  t.deepEqual(acted(), ['maxWatches']);
  const terminations = await eventually(
    async () => samplesOf(parseMetrics((await root!.get('/metrics')).text), 'apiserver_request_terminations_total'),
    (samples) => samples.length === 2,
  );
  t.deepEqual(
    terminations
      .map(({labels: {verb, resource, subresource, scope, code}, value}) => [verb, resource, subresource, scope, code, value])
      .sort(),
    [
      ['GET', 'pods', 'log', 'resource', '429', 1],
      ['WATCH', 'configmaps', '', 'cluster', '429', 1],
    ],
  );
  for (const watch of open) watch.close();
});
