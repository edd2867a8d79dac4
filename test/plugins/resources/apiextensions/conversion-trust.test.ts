import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {makeAuthority} from '../../../helpers/test-certificates.js';
import {startOrch} from '../../../helpers/orch-process.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {byWebhook, clientConfig, conversionWebhook, establishConverted, widget} from './conversion-fixture.js';
import {freshGroup, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();

/** Stores a widget in v1 and reads it in v2: what is read, or the words of the failure. */
async function readConverted(client: TestClient, group: string, namespace: string): Promise<unknown> {
  const url = (version: string) => `/apis/${group}/${version}/namespaces/${namespace}/widgets`;
  const made = await client.post(url('v1'), widget(group, 'w', 'v1'));
  if (made.status !== 201) throw new Error(made.body.toString());
  const response = await client.get(`${url('v2')}/w`);
  return response.status === 200 ? response.json<{spec: Json}>().spec : response.json<Status>().message;
}

storeTest(
  '[A-CRD-22] the CA bundle verifies the certificate of the webhook; signed by another authority, conversion fails',
  async (t, {client, namespace}) => {
    const webhook = await conversionWebhook(t);
    const good = freshGroup();
    await establishConverted(client, good, byWebhook(clientConfig(webhook)));
    t.deepEqual(await readConverted(client, good, namespace), {width: 3, height: 4});

    const bad = freshGroup();
    const {certificate} = await makeAuthority('webhook-ca');
    await establishConverted(client, bad, byWebhook(clientConfig({url: webhook.url, ca: certificate})));
    t.regex(
      String(await readConverted(client, bad, namespace)),
      /^conversion webhook for .*, Kind=Widget failed: Post .*: the server's certificate is signed by an unknown authority/,
    );
    t.is(webhook.requests.length, 1);
  },
);

storeTest('a webhook may be a service of the server, and shows a certificate for its name there', async (t, {client, namespace}) => {
  const webhook = await conversionWebhook(t, {names: [`hooks.${namespace}.svc`]});
  const config = {
    service: {namespace, name: 'hooks', path: '/crd/convert', port: webhook.port},
    caBundle: Buffer.from(webhook.ca).toString('base64'),
  };
  const [early, late] = [freshGroup(), freshGroup()];
  await establishConverted(client, early, byWebhook(config));
  t.is(
    await readConverted(client, early, namespace),
    `conversion webhook for ${early}/v1, Kind=Widget failed: Post "https://hooks.${namespace}.svc:${webhook.port}/crd/convert?timeout=30s": service "${namespace}/hooks" not found`,
  );
  const made = await client.post(`/api/v1/namespaces/${namespace}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: 'hooks'},
    spec: {type: 'ExternalName', externalName: 'localhost'},
  });
  t.is(made.status, 201, made.body.toString());
  await establishConverted(client, late, byWebhook(config));
  t.deepEqual(await readConverted(client, late, namespace), {width: 3, height: 4});
  t.deepEqual(
    webhook.requests.map(({url, headers}) => [url, headers.host]),
    [['/crd/convert?timeout=30s', `hooks.${namespace}.svc:${webhook.port}`]],
  );
});

/** A server process that trusts the authorities of a file besides, or instead of, its own. */
async function withTrusted(t: ExecutionContext, store: string, ca: string): Promise<TestClient> {
  const file = join(tempFolder(t), 'roots.crt');
  writeFileSync(file, ca);
  const orch = await startOrch(t, {store, env: {SSL_CERT_FILE: file}});
  const client = await TestClient.open(orch.url, join(orch.dataDir, 'pki'));
  t.teardown(() => client.close());
  return client;
}

for (const storeName of ['memory', 'redis'] as const) {
  test(`[A-CRD-23] without a CA bundle the roots of the system verify the certificate of the webhook (${storeName})`, async (t) => {
    const webhook = await conversionWebhook(t);
    const other = await makeAuthority('another');
    const store = async () => (storeName === 'redis' ? (await startRedis(t)).url : 'memory');
    const conversion = byWebhook({url: `${webhook.url}/convert`});

    const trusting = await withTrusted(t, await store(), webhook.ca);
    const group = freshGroup();
    await establishConverted(trusting, group, conversion);
    t.deepEqual(await readConverted(trusting, group, 'default'), {width: 3, height: 4});

    const wary = await withTrusted(t, await store(), other.certificate);
    await establishConverted(wary, group, conversion);
    t.regex(
      String(await readConverted(wary, group, 'default')),
      /failed: Post .*: the server's certificate is signed by an unknown authority/,
    );
    t.is(webhook.requests.length, 1);
  });
}
