import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {generateKey, issueCertificate} from '../../../../core/pki/issue-certificate.js';
import type {TestClient} from '@orch-api/orch/testing';
import {decide, keyedRequest, makeRequest, requestsPath} from './requests.js';

// Times of conditions and certificates are the writer's, so nothing need wait for an hour.
const storeTest = testOnEachStore({controllers: ['*', '-csrsigning']});
const hour = 3_600_000;
const spec = async () => ({request: (await keyedRequest([{CN: ['jo']}])).request, signerName: 'example.com/own', usages: ['client auth']});
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);
const text = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

const year = 365 * 24 * hour;

/** Approves a request and gives it a certificate, as its signer would. */
async function issue(client: TestClient, name: string, time?: Date, notAfter = Date.now() + year): Promise<void> {
  await decide(client, name, 'Approved', time);
  const issued = await issueCertificate({subject: {commonName: 'jo'}, key: await generateKey(), notAfter, usage: 'client'});
  await putStatus(client, name, {certificate: Buffer.from(issued).toString('base64')});
}

async function make(client: TestClient, name: string): Promise<void> {
  await makeRequest(client, name, await spec());
}

async function putStatus(client: TestClient, name: string, status: object): Promise<void> {
  const {status: code, body} = await client.patch(`${requestsPath}/${name}/status`, {status});
  if (code !== 200) throw new Error(body.toString());
}

/** Answers when the request was gone. */
async function goneAt(client: TestClient, name: string): Promise<number> {
  await eventually(
    () => client.get(`${requestsPath}/${name}`),
    ({status}) => status === 404,
  );
  return Date.now();
}

const failed = (time: Date) => ({conditions: [{type: 'Failed', status: 'True', reason: 'Test', lastUpdateTime: text(time)}]});

for (const [claim, what, settle] of [
  ['[A-CSRST-8]', 'approved and signed', (client: TestClient, name: string, time: Date) => issue(client, name, time)],
  ['[A-CSRST-9]', 'denied', (client: TestClient, name: string, time: Date) => decide(client, name, 'Denied', time)],
  ['[A-CSRST-10]', 'failed', (client: TestClient, name: string, time: Date) => putStatus(client, name, failed(time))],
] as const) {
  storeTest(`${claim} a request that was ${what} is removed 1 hour later, and not before`, async (t, {client, namespace}) => {
    const time = ago(hour - 1000);
    await make(client, namespace);
    await settle(client, namespace, time);
    await make(client, `${namespace}-young`);
    await settle(client, `${namespace}-young`, ago(hour - 60_000));
    await make(client, `${namespace}-old`);
    await settle(client, `${namespace}-old`, ago(hour + 2000));
    await goneAt(client, `${namespace}-old`);
    t.true((await goneAt(client, namespace)) >= time.getTime() + hour);
    t.is((await client.get(`${requestsPath}/${namespace}-young`)).status, 200);
  });
}

storeTest('[A-CSRST-12] a request is removed once its certificate has expired, and not before', async (t, {client, namespace}) => {
  const until = Date.now() + 1500;
  for (const [name, notAfter] of [
    ['', until],
    ['-past', Date.now() - 2000],
    ['-later', Date.now() + 600_000],
  ] as const) {
    await make(client, `${namespace}${name}`);
    await issue(client, `${namespace}${name}`, undefined, notAfter);
  }
  await goneAt(client, `${namespace}-past`);
  t.true((await goneAt(client, namespace)) >= Math.floor(until / 1000) * 1000);
  t.is((await client.get(`${requestsPath}/${namespace}-later`)).status, 200);
});
