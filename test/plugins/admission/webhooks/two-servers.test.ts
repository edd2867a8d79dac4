import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {eventually, until} from '../../../helpers/eventually.js';
import {startTwoServers} from '../../../helpers/two-servers.js';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {answer, webhookService, type WebhookService} from '../../../helpers/webhook-service.js';

const path = '/api/v1/namespaces/default/configmaps';
const configurations = '/apis/admissionregistration.orch/v1/validatingwebhookconfigurations';

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
  readonly ended: number;
  readonly status: number;
}

/** Makes ConfigMaps one after the other until told to stop, and writes down how that went. */
async function createAgainAndAgain({client}: TestServer, prefix: string, tries: Try[], isOver: () => boolean): Promise<void> {
  for (let index = 0; !isOver(); index += 1) {
    const began = performance.now();
    const {status} = await client.post(path, {metadata: {name: `${prefix}-${index}`}});
    tries.push({began, ended: performance.now(), status});
    // As many as there are at once leave the event loop no other turn.
    await delay(10);
  }
}

test('a configuration that is made or deleted during 200 parallel creates has effect on both servers, and nothing slips by after that [B-HOOK-9]', async (t) => {
  const service = await webhookService(t, refuse);
  const servers = await startTwoServers(t);
  const tries: Try[][] = [[], []];
  let isOver = false;
  const work = servers.flatMap((server, which) =>
    Array.from({length: 100}, (_, index) => createAgainAndAgain(server, `c${which}-${index}`, tries[which]!, () => isOver)),
  );
  const many = (status: number, since: number) =>
    until(`200 answers of ${status} on each server`, () =>
      tries.every((ofServer) => ofServer.filter((one) => one.began >= since && one.status === status).length >= 200),
    );
  await many(201, 0);
  const made = await servers[0].client.post(configurations, configuration(service));
  const madeAt = performance.now();
  t.is(made.status, 201, made.body.toString());
  await many(400, madeAt);
  const removingAt = performance.now();
  t.is((await servers[1].client.delete(`${configurations}/closed`)).status, 200);
  const removedAt = performance.now();
  await many(201, removedAt);
  isOver = true;
  await Promise.all(work);
  for (const [which, ofServer] of tries.entries()) {
    // From the first refusal on until the removal all are refused, and from the first success after that on none. How soon that is, is up to the machine too.
    const refused = Math.min(...ofServer.filter(({status}) => status === 400).map(({ended}) => ended));
    const accepted = Math.min(...ofServer.filter(({began, status}) => began >= removedAt && status === 201).map(({ended}) => ended));
    t.log(`server ${which}: refuses after ${(refused - madeAt).toFixed(0)} ms, and no more after ${(accepted - removedAt).toFixed(0)} ms`);
    const wrong = (from: number, to: number, right: number) =>
      ofServer.filter(({began, ended, status}) => began >= from && ended < to && status !== right);
    t.deepEqual(wrong(refused, removingAt, 400), []);
    t.deepEqual(wrong(accepted, Infinity, 201), []);
  }
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
