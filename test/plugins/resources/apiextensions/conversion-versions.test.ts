import test from 'ava';
import type {Status, Store} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {openEmbedded} from '../../../helpers/store-embedded.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {openStore} from '../../stores/redis/open-store.js';
import {byWebhook, clientConfig, conversionWebhook, establishConverted, widget, widgetVersions} from './conversion-fixture.js';
import {definition, definitionsPath, faultsOf, freshGroup} from './definition-fixture.js';

const storeTest = testOnEachStore();

storeTest('[A-CRD-20] the webhook is asked in the first version of the list that the server supports', async (t, {client, path}) => {
  for (const [versions, expected] of [
    [['v2', 'v1beta1', 'v1'], 'v1beta1'],
    [['v1', 'v1beta1'], 'v1'],
  ] as const) {
    const group = freshGroup();
    const webhook = await conversionWebhook(t);
    await establishConverted(client, group, byWebhook(clientConfig(webhook), versions));
    t.is((await client.post(path('widgets', `${group}/v1`), widget(group, 'w', 'v1'))).status, 201);
    t.deepEqual((await client.get(`${path('widgets', `${group}/v2`)}/w`)).json<{spec: unknown}>().spec, {width: 3, height: 4});
    t.deepEqual(
      webhook.reviews.map(({apiVersion}) => apiVersion),
      [`apiextensions.orch/${expected}`],
    );
  }
});

storeTest('[A-CRD-21] a list without a version that the server supports is refused', async (t, {client}) => {
  const group = freshGroup();
  const conversion = byWebhook({url: 'https://hooks.example.com'}, ['v2', 'v3']);
  const refused = await client.post(definitionsPath, definition(group, widgetVersions(), {conversion}));
  t.deepEqual(faultsOf(refused), [
    'spec.conversion.conversionReviewVersions: Invalid value: ["v2","v3"]: must include at least one of v1, v1beta1',
  ]);
});

/** Changes what a store has of a definition, as an older server may have left it. */
async function edit(store: Store, name: string, from: string, to: string): Promise<void> {
  const type = 'customresourcedefinitions.apiextensions.orch';
  const record = (await store.read(type, name))!;
  const at = record.value.indexOf(from);
  if (at < 0 || from.length !== to.length) throw new Error(`${from} cannot become ${to}`);
  const value = Buffer.concat([record.value.subarray(0, at), Buffer.from(to), record.value.subarray(at + from.length)]);
  await store.commit({type, key: name, expected: record.revision, value});
  await store.close();
}

for (const storeName of ['embedded', 'redis'] as const) {
  test(`[A-CRD-21] conversion fails when a stored definition names no version that the server supports (${storeName})`, async (t) => {
    const group = freshGroup();
    const webhook = await conversionWebhook(t);
    const dataDir = tempFolder(t);
    const url = storeName === 'redis' ? `${(await startRedis(t)).url}/0?prefix=conversion:` : 'embedded';
    const first = await startTestServer({store: url, dataDir});
    await establishConverted(first.client, group, byWebhook(clientConfig(webhook)));
    const widgets = (version: string) => `/apis/${group}/${version}/namespaces/default/widgets`;
    t.is((await first.client.post(widgets('v1'), widget(group, 'w', 'v1'))).status, 201);
    await first.stop();

    const store = storeName === 'redis' ? await openStore(url) : await openEmbedded(dataDir);
    await edit(store, `widgets.${group}`, '"conversionReviewVersions":["v1"]', '"conversionReviewVersions":["v9"]');
    const second = await startTestServer({store: url, dataDir});
    t.teardown(() => second.stop());
    const response = await second.client.get(`${widgets('v2')}/w`);
    const {code, message} = response.json<Status>();
    t.deepEqual([code, message], [500, `conversion webhook for ${group}/v1, Kind=Widget failed: no supported conversion review versions`]);
    t.is((await second.client.get(`${widgets('v1')}/w`)).status, 200);
    t.is(webhook.requests.length, 0);
  });
}
