import type {ApiObject} from '@orch-api/orch/sdk';
import {until} from '../../../helpers/eventually.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {
  byWebhook,
  clientConfig,
  conversionWebhook,
  converting,
  establishConverted,
  widget,
  widgetVersions,
  type ConversionWebhook,
} from './conversion-fixture.js';
import {change, definition, definitionsPath, establish, freshGroup, readDefinition, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();

interface Widget extends ApiObject {
  readonly spec: Json;
}

/** What the reviews so far asked for, and forgets them. */
function asked({reviews}: ConversionWebhook): string[] {
  return reviews
    .splice(0)
    .map(({request}) => `${request.objects.map(({metadata}) => metadata.name).join()} to ${request.desiredAPIVersion.split('/')[1]}`);
}

storeTest(
  '[A-CRD-17] what is written in another version than that of storage goes through the webhook, and is stored converted',
  async (t, {client, path}) => {
    const group = freshGroup();
    const webhook = await conversionWebhook(t);
    await establishConverted(client, group, byWebhook(clientConfig(webhook)));
    const [v1, v2] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
    const made = await client.post(v2, widget(group, 'w', 'v2'));
    t.is(made.status, 201, made.body.toString());
    t.is(made.json<Widget>().apiVersion, `${group}/v2`);
    t.deepEqual(made.json<Widget>().spec, {width: 3, height: 4});
    t.true(asked(webhook).includes('w to v1'));
    t.deepEqual((await client.get(`${v1}/w`)).json<Widget>().spec, {size: '3x4'});
    t.deepEqual(asked(webhook), []);

    const current = (await client.get(`${v2}/w`)).json<Widget>();
    const put = await client.put(`${v2}/w`, {...current, spec: {width: 5, height: 6}});
    t.deepEqual([put.status, put.json<Widget>().spec], [200, {width: 5, height: 6}]);
    t.deepEqual((await client.get(`${v1}/w`)).json<Widget>().spec, {size: '5x6'});
    const patched = await client.patch(`${v2}/w`, {spec: {height: 7}});
    t.deepEqual([patched.status, patched.json<Widget>().spec], [200, {width: 5, height: 7}]);
    t.deepEqual((await client.get(`${v1}/w`)).json<Widget>().spec, {size: '5x7'});
    const status = await client.patch(`${v2}/w/status`, {status: {phase: 'Ready'}});
    t.deepEqual(
      [status.status, status.json<Widget>()['status'], status.json<Widget>().spec],
      [200, {phase: 'Ready'}, {width: 5, height: 7}],
    );
    const applied = await client.patch(
      `${v2}/w?fieldManager=me&force=true`,
      widget(group, 'w', 'v2', {width: 8}),
      'application/apply-patch+yaml',
    );
    t.deepEqual([applied.status, applied.json<Widget>().spec], [200, {width: 8, height: 7}], applied.body.toString());
    t.deepEqual((await client.get(`${v1}/w`)).json<Widget>().spec, {size: '8x7'});
    t.true(asked(webhook).every((text) => text === 'w to v1' || text === 'w to v2'));
    t.is((await client.delete(`${v2}/w`)).status, 200);
    t.is((await client.get(`${v1}/w`)).status, 404);
  },
);

storeTest('[A-CRD-17] what is stored is read in another version through the webhook, a list in one call', async (t, {client, path}) => {
  const group = freshGroup();
  const webhook = await conversionWebhook(t);
  await establishConverted(client, group, byWebhook(clientConfig(webhook)));
  const [v1, v2] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
  const names = Array.from({length: 20}, (_, index) => `w${String(index).padStart(2, '0')}`);
  for (const name of names) t.is((await client.post(v1, widget(group, name, 'v1'))).status, 201);
  t.deepEqual(asked(webhook), []);
  const one = (await client.get(`${v2}/w00`)).json<Widget>();
  t.deepEqual([one.apiVersion, one.kind, one.spec], [`${group}/v2`, 'Widget', {width: 3, height: 4}]);
  t.deepEqual(asked(webhook), ['w00 to v2']);

  const changed = await client.patch(`${v1}/w00`, {spec: {size: '1x1'}});
  t.is(changed.status, 200);
  const list = (await client.get(v2)).json<{apiVersion: string; items: Widget[]}>();
  t.is(list.apiVersion, `${group}/v2`);
  t.deepEqual(
    list.items.map(({apiVersion, metadata}) => `${apiVersion} ${metadata.name}`),
    names.map((name) => `${group}/v2 ${name}`),
  );
  t.deepEqual(
    [list.items[0]!.spec, list.items[1]!.spec],
    [
      {width: 1, height: 1},
      {width: 3, height: 4},
    ],
  );
  const calls = asked(webhook);
  t.is(calls.length, 1);
  t.deepEqual(calls[0]!.split(' ')[0]!.split(','), names);
  t.is((await client.get(v1)).json<{items: Widget[]}>().items[0]!.spec['size'], '1x1');
  t.deepEqual(asked(webhook), []);
});

storeTest('a list of several megabytes is converted in several calls, none of them large, and nothing twice', async (t, {client, path}) => {
  const group = freshGroup();
  const webhook = await conversionWebhook(t);
  await establishConverted(client, group, byWebhook(clientConfig(webhook)));
  const [v1, v2] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
  const note = 'n'.repeat(256 * 1024);
  const names = Array.from({length: 20}, (_, index) => `w${String(index).padStart(2, '0')}`);
  for (const name of names) t.is((await client.post(v1, widget(group, name, 'v1', {size: '3x4', note}))).status, 201);
  const lists = await Promise.all([client.get(v2), client.get(v2)]);
  for (const list of lists)
    t.deepEqual(
      list.json<{items: Widget[]}>().items.map(({metadata, spec}) => `${metadata.name} ${String(spec['width'])}`),
      names.map((name) => `${name} 3`),
    );
  const converted = webhook.reviews.map(({request}) => request.objects.map(({metadata}) => metadata.name!));
  t.deepEqual(converted.flat(), names);
  t.true(converted.length >= 3 && converted.every(({length}) => length < 8), JSON.stringify(converted.map(({length}) => length)));
});

storeTest('[A-CRD-17] watchers see objects in the version that they ask for', async (t, {client, path}) => {
  const group = freshGroup();
  const webhook = await conversionWebhook(t);
  await establishConverted(client, group, byWebhook(clientConfig(webhook)));
  const [v1, v2] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
  t.is((await client.post(v1, widget(group, 'w', 'v1'))).status, 201);
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const events = client.watch(`${v2}?watch=true`, {signal: stop.signal});
  const next = async () => {
    const {type, object} = (await events.next()).value!;
    return [type, object.apiVersion, (object as Widget).spec];
  };
  t.deepEqual(await next(), ['ADDED', `${group}/v2`, {width: 3, height: 4}]);
  await client.patch(`${v1}/w`, {spec: {size: '5x6'}});
  t.deepEqual(await next(), ['MODIFIED', `${group}/v2`, {width: 5, height: 6}]);
  await client.patch(`${v2}/w`, {spec: {width: 9}});
  t.deepEqual(await next(), ['MODIFIED', `${group}/v2`, {width: 9, height: 6}]);
  await client.delete(`${v1}/w`);
  t.deepEqual(await next(), ['DELETED', `${group}/v2`, {width: 9, height: 6}]);
});

storeTest('a review names the version that is wanted, and has the objects whole', async (t, {client, path}) => {
  const group = freshGroup();
  const webhook = await conversionWebhook(t);
  await establishConverted(client, group, byWebhook(clientConfig(webhook)));
  const stored = (
    await client.post(path('widgets', `${group}/v1`), {
      ...widget(group, 'w', 'v1'),
      metadata: {name: 'w', labels: {a: 'b'}, finalizers: ['example.com/f']},
    })
  ).json<Widget>();
  await client.get(`${path('widgets', `${group}/v2`)}/w`);
  const [{apiVersion, kind, request}] = webhook.reviews as [ConversionWebhook['reviews'][0]];
  t.deepEqual([apiVersion, kind, request.desiredAPIVersion], ['apiextensions.orch/v1', 'ConversionReview', `${group}/v2`]);
  t.regex(request.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-/);
  t.deepEqual(request.objects, [stored]);
  const [{method, url, headers}] = webhook.requests as unknown as [{method: string; url: string; headers: Json}];
  t.deepEqual([method, url, headers['content-type']], ['POST', '/convert?timeout=30s', 'application/json']);
});

storeTest('integers beyond 2^53 come through a webhook unchanged', async (t, {client, path}) => {
  const group = freshGroup();
  const webhook = await conversionWebhook(t);
  const big = '9007199254740993';
  webhook.convert = ({apiVersion, request: {uid, desiredAPIVersion, objects}}) =>
    `{"apiVersion":"${apiVersion}","kind":"ConversionReview","response":{"uid":"${uid}","result":{"status":"Success"},"convertedObjects":[${objects
      .map(
        ({metadata}) =>
          `{"apiVersion":"${desiredAPIVersion}","kind":"Widget","metadata":${JSON.stringify(metadata)},"spec":{"big":${big}}}`,
      )
      .join()}]}}`;
  await establishConverted(client, group, byWebhook(clientConfig(webhook)));
  const url = path('widgets', `${group}/v1`);
  t.is((await client.post(url, `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"big":${big}}}`)).status, 201);
  t.true((await client.get(`${path('widgets', `${group}/v2`)}/w`)).body.toString().includes(`"big":${big}`));
});

storeTest('a changed conversion takes effect, also on what was read before', async (t, {client, path}) => {
  const group = freshGroup();
  const [first, second] = [await conversionWebhook(t), await conversionWebhook(t)];
  second.convert = converting((object) => ({...object, spec: {...(object['spec'] as Json), note: 'by the second'}}));
  await establishConverted(client, group, byWebhook(clientConfig(first)));
  const url = `${path('widgets', `${group}/v2`)}/w`;
  t.is((await client.post(path('widgets', `${group}/v1`), widget(group, 'w', 'v1'))).status, 201);
  t.deepEqual((await client.get(url)).json<Widget>().spec, {width: 3, height: 4});
  await change(
    client,
    `widgets.${group}`,
    {spec: {conversion: byWebhook(clientConfig(second))}},
    async () => (await client.get(url)).json<Widget>().spec['note'] === 'by the second',
  );
  await change(
    client,
    `widgets.${group}`,
    {spec: {conversion: {strategy: 'None', webhook: null}}},
    async () => (await client.get(url)).json<Widget>().spec['width'] === undefined,
  );
  t.is((await client.get(url)).status, 200);
});

storeTest('objects of a definition that is being deleted are not converted by the webhook', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  const webhook = await conversionWebhook(t);
  await establishConverted(client, group, byWebhook(clientConfig(webhook)));
  const [v1, v2] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
  t.is((await client.post(v1, {...widget(group, 'w', 'v1'), metadata: {name: 'w', finalizers: ['example.com/held']}})).status, 201);
  await webhook.stop();
  t.is((await client.get(`${v2}/w`)).status, 500);
  t.is((await client.delete(`${definitionsPath}/${name}`)).status, 200);
  const read = await until('a read', async () => {
    const response = await client.get(`${v2}/w`);
    return response.status === 200 && response.json<Widget>();
  });
  t.is(read.apiVersion, `${group}/v2`);
  t.is((await client.patch(`${v2}/w`, {metadata: {finalizers: []}})).status, 200);
  await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
});

storeTest(
  'objects of an old storage version are read, rewritten and no longer needed, and the version can go',
  async (t, {client, path}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    const webhook = await conversionWebhook(t);
    const conversion = byWebhook(clientConfig(webhook));
    await establishConverted(client, group, conversion);
    const v2 = path('widgets', `${group}/v2`);
    for (const object of ['a', 'b']) t.is((await client.post(path('widgets', `${group}/v1`), widget(group, object, 'v1'))).status, 201);

    const switched = await client.patch(`${definitionsPath}/${name}`, {spec: {versions: widgetVersions('v2')}});
    t.deepEqual(switched.json<{status: {storedVersions: string[]}}>().status.storedVersions, ['v1', 'v2']);
    await until('the new storage version', async () => {
      webhook.reviews.splice(0);
      const probe = `probe-${Math.random().toString(36).slice(2)}`;
      await client.post(v2, widget(group, probe, 'v2'));
      await client.delete(`${v2}/${probe}`);
      return webhook.reviews.length === 0;
    });
    for (const {metadata, spec} of (await client.get(v2)).json<{items: Widget[]}>().items) {
      t.deepEqual(spec, {width: 3, height: 4});
      const before = (await client.get(`${v2}/${metadata.name}`)).json<Widget>();
      const written = await client.put(`${v2}/${metadata.name}`, before);
      t.is(written.status, 200, written.body.toString());
      t.not(
        written.json<Widget>().metadata.resourceVersion,
        before.metadata.resourceVersion,
        'an unchanged object is rewritten in the new storage version',
      );
      t.is(written.json<Widget>().metadata.uid, before.metadata.uid);
    }
    t.is((await client.patch(`${definitionsPath}/${name}/status`, {status: {storedVersions: ['v2']}})).status, 200);
    const last = widgetVersions('v2', ['v2']);
    t.is(
      (await client.patch(`${definitionsPath}/${name}`, {spec: {versions: last, conversion: {strategy: 'None', webhook: null}}})).status,
      200,
    );
    await webhook.stop();
    await until('the end of v1', async () => (await client.get(`/apis/${group}/v1`)).status === 404);
    const items = (await client.get(v2)).json<{items: Widget[]}>().items;
    t.deepEqual(
      items.map(({metadata, spec}) => [metadata.name, spec]),
      [
        ['a', {width: 3, height: 4}],
        ['b', {width: 3, height: 4}],
      ],
    );
    t.deepEqual((await readDefinition(client, name)).status.storedVersions, ['v2']);
  },
);

storeTest('objects of several stored versions are listed in a third one in one call', async (t, {client, path}) => {
  const group = freshGroup();
  const webhook = await conversionWebhook(t);
  const names = ['v1', 'v2', 'v3'];
  await establish(client, definition(group, widgetVersions('v1', names), {conversion: byWebhook(clientConfig(webhook))}));
  t.is((await client.post(path('widgets', `${group}/v1`), widget(group, 'old', 'v1'))).status, 201);
  t.is((await client.patch(`${definitionsPath}/widgets.${group}`, {spec: {versions: widgetVersions('v2', names)}})).status, 200);
  await until('the new storage version', async () => {
    webhook.reviews.splice(0);
    const response = await client.post(`${path('widgets', `${group}/v2`)}?dryRun=All`, widget(group, 'probe', 'v2'));
    return response.status === 201 && webhook.reviews.length === 0;
  });
  t.is((await client.post(path('widgets', `${group}/v2`), widget(group, 'young', 'v2'))).status, 201);
  const list = (await client.get(path('widgets', `${group}/v3`))).json<{items: Widget[]}>();
  t.deepEqual(
    list.items.map(({apiVersion, spec}) => [apiVersion, spec]),
    [
      [`${group}/v3`, {width: 3, height: 4}],
      [`${group}/v3`, {width: 3, height: 4}],
    ],
  );
  t.is(webhook.reviews.length, 1);
  t.deepEqual(
    webhook.reviews[0]!.request.objects.map(({apiVersion}) => apiVersion),
    [`${group}/v1`, `${group}/v2`],
  );
});
