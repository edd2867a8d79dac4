import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {eventually} from '../../../helpers/eventually.js';
import {startTwoServers} from '../../../helpers/two-servers.js';
import {startTestServer, type TestServer} from '../../../../sdk/testing/index.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {answer, webhookService, type WebhookService} from '../../../helpers/webhook-service.js';

const path = '/api/v1/namespaces/default/configmaps';
const configurations = '/apis/admissionregistration.orch/v1/validatingwebhookconfigurations';
/** How long after the write of a configuration it may have no effect yet. */
const graceMillis = 100;

const refuse = (body: string, response: Parameters<typeof answer>[0]) => {
  const {apiVersion, request} = JSON.parse(body) as {apiVersion: string; request: {uid: string}};
  answer(response, {apiVersion, kind: 'AdmissionReview', response: {uid: request.uid, allowed: false, status: {message: 'closed'}}});
};

function configuration({url, ca}: WebhookService, name = 'closed') {
  return {
    metadata: {name},
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: {url, caBundle: Buffer.from(ca).toString('base64')},
        rules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

interface Try {
  readonly began: number;
  readonly status: number;
}

/** Makes ConfigMaps one after the other until told to stop. */
async function createAgainAndAgain({client}: TestServer, prefix: string, isOver: () => boolean): Promise<Try[]> {
  const tries: Try[] = [];
  for (let index = 0; !isOver(); index += 1) {
    const began = performance.now();
    const {status} = await client.post(path, {metadata: {name: `${prefix}-${index}`}});
    tries.push({began, status});
    // As many as there are at once leave the event loop no other turn.
    await delay(10);
  }
  return tries;
}

test('a configuration that is made or deleted during 200 parallel creates has effect on both servers within 100 ms, and nothing slips by after that [B-HOOK-9]', async (t) => {
  const service = await webhookService(t, refuse);
  const servers = await startTwoServers(t);
  let isOver = false;
  const work = Array.from({length: 200}, (_, index) => createAgainAndAgain(servers[index % 2]!, `c${index}`, () => isOver));
  await delay(50);
  const made = await servers[0].client.post(configurations, configuration(service));
  const madeAt = performance.now();
  t.is(made.status, 201, made.body.toString());
  await delay(400);
  const removed = await servers[1].client.delete(`${configurations}/closed`);
  const removedAt = performance.now();
  t.is(removed.status, 200);
  await delay(400);
  isOver = true;
  const tries = (await Promise.all(work)).flat();
  t.true(tries.length >= 200);
  const between = tries.filter(({began}) => began >= madeAt + graceMillis && began < removedAt - graceMillis - 50);
  t.true(between.length > 0);
  t.deepEqual(
    between.filter(({status}) => status !== 400),
    [],
  );
  const after = tries.filter(({began}) => began >= removedAt + graceMillis);
  t.true(after.length > 0);
  t.deepEqual(
    after.filter(({status}) => status !== 201),
    [],
  );
  t.true(tries.some(({began, status}) => began < madeAt && status === 201));
});

test('a server that has just started knows the configurations that there are before it answers its first request [B-HOOK-9]', async (t) => {
  const service = await webhookService(t, refuse);
  const dataDir = tempFolder(t);
  const first = await startTestServer({dataDir, store: 'embedded'});
  await first.client.post(configurations, configuration(service));
  await first.stop();
  for (let round = 0; round < 3; round += 1) {
    const server = await startTestServer({dataDir, store: 'embedded'});
    const {status} = await server.client.post(path, {metadata: {name: 'slips'}});
    await server.stop();
    t.is(status, 400);
  }
});

test('a change of a configuration reaches the other server', async (t) => {
  const service = await webhookService(t, refuse);
  const [first, second] = await startTwoServers(t);
  await first.client.post(configurations, configuration(service));
  const create = () => second.client.post(`${path}?dryRun=All`, {metadata: {name: 'one'}});
  await eventually(create, ({status}) => status === 400, 1000);
  await first.client.patch(`${configurations}/closed`, {webhooks: null});
  await eventually(create, ({status}) => status === 201, 1000);
  t.pass();
});
