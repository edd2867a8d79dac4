import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {keyedRequest, nodeSubject, nodeUsages} from '../../plugins/controllers/certificate-signing/requests.js';
import {inMillis, makeToken, secretPath} from '../../plugins/controllers/bootstrap-tokens/tokens.js';

const hourMillis = 3_600_000;

async function put(server: TestServer, path: string, object: object): Promise<{metadata: {name: string; creationTimestamp: string}}> {
  const {status, body} = await server.client.post(path, object);
  if (status !== 201) throw new Error(`${path}: ${status} ${body.toString()}`);
  return JSON.parse(body.toString()) as {metadata: {name: string; creationTimestamp: string}};
}

for (const store of ['memory', 'embedded']) {
  test(`tests put the clock of their server forward: tokens, events, Jobs and requests are gone when their time is over (${store})`, async (t) => {
    await using server = await startTestServer({store, controllers: ['*', 'tokencleaner'], flags: {'enable-bootstrap-token-auth': true}});
    const {client} = server;
    const status = async (path: string) => (await client.get(path)).status;
    const withToken = async (token: string) =>
      (await client.get('/version', {anonymous: true, headers: {authorization: `Bearer ${token}`}})).status;

    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const spec = {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]};
    await put(server, jobs, {metadata: {name: 'finished'}, spec: {ttlSecondsAfterFinished: 3600, template: {spec}}});
    const now = new Date().toISOString();
    const conditions = [{type: 'Complete', status: 'True', lastTransitionTime: now}];
    t.is((await client.patch(`${jobs}/finished/status`, {status: {conditions, completionTime: now}})).status, 200);
    const events = '/api/v1/namespaces/default/events';
    await put(server, events, {metadata: {name: 'seen'}, involvedObject: {kind: 'Job', namespace: 'default', name: 'finished'}});
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await until('an account', async () => (await status(`${accounts}/default`)) === 200);
    const requested = await client.post(`${accounts}/default/token`, {spec: {expirationSeconds: 3600}});
    const {token} = requested.json<{status: {token: string}}>().status;
    const bootstrap = await makeToken(client, 'later1', {expiration: inMillis(hourMillis), 'usage-bootstrap-authentication': 'true'});
    const requests = '/apis/certificates.orch/v1/certificatesigningrequests';
    const {request} = await keyedRequest(nodeSubject);
    await put(server, requests, {
      metadata: {name: 'asked'},
      spec: {request, signerName: 'example.com/own', usages: nodeUsages},
    });

    t.deepEqual([await withToken(token), await withToken(bootstrap)], [200, 200]);
    for (const path of [`${jobs}/finished`, `${events}/seen`]) t.is(await status(path), 200);
    const answer = await client.post('/orch/testing/clock?advance=2h', '');
    t.is(answer.status, 200);
    const moved = Date.parse(answer.json<{now: string}>().now) - Date.now();
    t.true(Math.abs(moved - 2 * hourMillis) < 60_000, String(moved));
    t.deepEqual([await withToken(token), await withToken(bootstrap)], [401, 401]);
    t.is(await status(`${events}/seen`), 404);
    for (const path of [`${jobs}/finished`, secretPath('later1')]) await until(path, async () => (await status(path)) === 404);
    t.is(await status(`${requests}/asked`), 200);
    const made = await put(server, '/api/v1/namespaces/default/configmaps', {metadata: {name: 'new'}});
    t.true(Date.parse(made.metadata.creationTimestamp) > Date.now() + hourMillis);

    await server.advance(23 * hourMillis);
    await until('the request', async () => (await status(`${requests}/asked`)) === 404);
    t.is(await status('/api/v1/namespaces/default/configmaps/new'), 200);
  });
}

test('the clock goes forward only, by a duration, on servers for tests', async (t) => {
  await using server = await startTestServer();
  for (const query of ['', '?advance=', '?advance=-1h', '?advance=1000000h', '?advance=soon']) {
    t.is((await server.client.post(`/orch/testing/clock${query}`, '')).status, 400, query);
  }
  await using ordinary = await startTestServer({enableTestingApi: false});
  t.is((await ordinary.client.post('/orch/testing/clock?advance=1h', '')).status, 404);
});
