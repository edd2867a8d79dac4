import {fileURLToPath} from 'node:url';
import type {ApiList, Status} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {converter} from './fixtures/translation/translator.js';
import type {ReadObject} from './fixtures.js';

const storeTest = testOnEachStore({plugins: [fileURLToPath(new URL('fixtures/translation', import.meta.url))]});
const [v1, v2] = ['translation.example.com/v1', 'translation.example.com/v2'];

const texts = (list: {items: readonly object[]}) => list.items.map((item) => (item as ReadObject).spec);

/** Calls of the converter for objects of a namespace while something is done, as `COUNT to VERSION`. */
async function callsOf(namespace: string, work: () => Promise<unknown>): Promise<string[]> {
  const before = converter.calls.length;
  await work();
  return converter.calls.slice(before).flatMap((call) => (call.namespace === namespace ? [`${call.count} to ${call.to}`] : []));
}

async function createAll(client: TestClient, url: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const created = await client.post(url, {
      metadata: {name: `l${index}`, labels: {parity: index % 2 === 0 ? 'even' : 'odd'}},
      spec: {text: `t${index % 3}`, size: index},
    });
    if (created.status !== 201) throw new Error(created.body.toString());
  }
}

storeTest(
  'reads in a version that is converted elsewhere: one call for a list, none for what was converted before, none for the stored version',
  async (t, {client, path, namespace}) => {
    const [stored, other] = [path('letters', v1), path('letters', v2)];
    await createAll(client, stored, 7);
    const first = await callsOf(namespace, async () => {
      const list = (await client.get(other)).json<ApiList>();
      t.is(list.apiVersion, v2);
      t.deepEqual(texts(list)[4], {body: {text: 't1'}, size: 4});
      t.false(
        list.items.some((item) => 'extra' in item),
        'what the schema does not have is dropped',
      );
      t.true(list.items.every((item) => item.apiVersion === v2));
    });
    t.deepEqual(first, ['7 to v2']);
    t.deepEqual(await callsOf(namespace, () => client.get(other)), []);
    t.deepEqual(await callsOf(namespace, () => client.get(`${other}/l3`)), []);
    t.deepEqual(await callsOf(namespace, () => client.get(stored)), []);
    await client.patch(`${stored}/l3`, {spec: {text: 'new'}});
    const [one, many] = await Promise.all([client.get(`${other}/l3`), client.get(other)]);
    t.true(
      converter.calls.filter((call) => call.namespace === namespace).length <= 3,
      'requests that need the same object at once share its conversion',
    );
    t.deepEqual(one.json<ReadObject>().spec, {body: {text: 'new'}, size: 3});
    t.deepEqual(texts(many.json<ApiList>())[3], {body: {text: 'new'}, size: 3});
    const table = (await client.get(other, {headers: {accept: 'application/json;as=Table;g=meta.orch;v=v1'}})).json<{
      rows: {cells: string[]}[];
    }>();
    t.deepEqual(
      table.rows.map(({cells}) => cells.at(-1)),
      ['t0', 't1', 't2', 'new', 't1', 't2', 't0'],
    );
  },
);

storeTest('selectors look at the objects as the version has them; pages hold together', async (t, {client, path}) => {
  const [stored, other] = [path('letters', v1), path('letters', v2)];
  await createAll(client, stored, 9);
  const names = (list: ApiList) => list.items.map(({metadata}) => metadata.name);
  const selected = (await client.get(`${other}?fieldSelector=spec.body.text%3Dt1`)).json<ApiList>();
  t.deepEqual(names(selected), ['l1', 'l4', 'l7']);
  t.is((await client.get(`${other}?fieldSelector=spec.text%3Dt1`)).status, 400);
  t.deepEqual(names((await client.get(`${stored}?fieldSelector=spec.text%3Dt1`)).json<ApiList>()), ['l1', 'l4', 'l7']);
  const first = (await client.get(`${other}?fieldSelector=spec.body.text%3Dt1&labelSelector=parity%3Dodd&limit=1`)).json<ApiList>();
  t.deepEqual(names(first), ['l1']);
  await client.delete(`${stored}/l7`);
  const next = (
    await client.get(
      `${other}?fieldSelector=spec.body.text%3Dt1&labelSelector=parity%3Dodd&limit=1&continue=${encodeURIComponent(first.metadata.continue!)}`,
    )
  ).json<ApiList>();
  t.deepEqual(names(next), ['l7']);
  t.falsy(next.metadata.continue);
  t.is((await client.delete(`${other}?fieldSelector=spec.body.text%3Dt2`)).status, 200);
  t.deepEqual(names((await client.get(stored)).json<ApiList>()), ['l0', 'l1', 'l3', 'l4', 'l6']);
});

storeTest('a collection that is deleted is converted in one call', async (t, {client, path, namespace}) => {
  const [stored, other] = [path('letters', v1), path('letters', v2)];
  await createAll(client, stored, 6);
  t.deepEqual(await callsOf(namespace, async () => t.is((await client.delete(other)).status, 200)), ['6 to v2']);
  t.is((await client.get(stored)).json<ApiList>().items.length, 0);
});

storeTest('writes in such a version are stored in the storage version and answered in their own', async (t, {client, path}) => {
  const [stored, other] = [path('letters', v1), path('letters', v2)];
  const created = await client.post(other, {metadata: {name: 'w'}, spec: {body: {text: 'a'}, size: 1}});
  t.is(created.status, 201);
  t.deepEqual(created.json<ReadObject>().spec, {body: {text: 'a'}, size: 1});
  t.deepEqual((await client.get(`${stored}/w`)).json<ReadObject>().spec, {text: 'a', size: 1});
  const put = await client.put(`${other}/w`, {...created.json<ReadObject>(), spec: {body: {text: 'b'}, size: 1}});
  t.deepEqual(put.json<ReadObject>().spec, {body: {text: 'b'}, size: 1});
  t.is(put.json<ReadObject>().metadata.generation, 2);
  const patched = await client.patch(`${other}/w`, [{op: 'replace', path: '/spec/body/text', value: 'c'}], 'application/json-patch+json');
  t.deepEqual(patched.json<ReadObject>().spec, {body: {text: 'c'}, size: 1});
  const unchanged = await client.put(`${other}/w`, patched.json<ReadObject>());
  t.is(unchanged.json<ReadObject>().metadata.resourceVersion, patched.json<ReadObject>().metadata.resourceVersion);
  t.deepEqual((await client.get(`${stored}/w`)).json<ReadObject>().spec, {text: 'c', size: 1});
  const removed = await client.delete(`${other}/w`);
  t.is(removed.status, 200);
  t.is((await client.get(`${stored}/w`)).status, 404);
});

storeTest('appliers of different versions own the same fields, whatever these are called', async (t, {client, path}) => {
  const [stored, other] = [path('letters', v1), path('letters', v2)];
  const apply = (url: string, apiVersion: string, manager: string, spec: object, more = '') =>
    client.patch(
      `${url}/a?fieldManager=${manager}${more}`,
      {apiVersion, kind: 'Letter', metadata: {name: 'a'}, spec},
      'application/apply-patch+yaml',
    );
  t.is((await apply(stored, v1, 'one', {text: 'x', size: 1})).status, 201);
  const conflict = await apply(other, v2, 'two', {body: {text: 'y'}});
  t.is(conflict.status, 409);
  t.deepEqual(
    conflict.json<Status>().details?.causes?.map(({field, message}) => `${field}: ${message}`),
    ['.spec.text: conflict with "one"'],
  );
  t.is((await apply(other, v2, 'two', {body: {text: 'x'}})).status, 200);
  t.is((await apply(other, v2, 'two', {body: {text: 'y'}}, '&force=true')).status, 200);
  t.deepEqual((await client.get(`${stored}/a`)).json<ReadObject>().spec, {text: 'y', size: 1});
  // What one leaves out is the other's now and stays; what is nobody else's goes.
  t.is((await apply(stored, v1, 'one', {})).status, 200);
  t.deepEqual((await client.get(`${stored}/a`)).json<ReadObject>().spec, {text: 'y'});
  t.is((await apply(other, v2, 'two', {})).status, 200);
  t.falsy((await client.get(`${stored}/a`)).json<ReadObject>().spec?.['text']);
});

storeTest('watches in such a version tell every change in it, in order', async (t, {client, path}) => {
  const [stored, other] = [path('letters', v1), path('letters', v2)];
  await createAll(client, stored, 3);
  const seen: string[] = [];
  const signal = AbortSignal.timeout(20_000);
  const watching = (async () => {
    for await (const {type, object} of client.watch(`${other}?watch=1&labelSelector=parity%3Deven`, {signal})) {
      const {apiVersion, metadata, spec} = object as unknown as ReadObject;
      seen.push(`${type} ${metadata.name} ${apiVersion === v2 ? JSON.stringify(spec?.['body']) : apiVersion}`);
      if (type === 'DELETED' && metadata.name === 'l2') return;
    }
  })();
  await client.patch(`${stored}/l0`, {spec: {text: 'changed'}});
  await client.patch(`${stored}/l1`, {metadata: {labels: {parity: 'even'}}});
  await client.delete(`${stored}/l2`);
  await watching;
  const tail = seen.slice(seen.indexOf('ADDED l2 {"text":"t2"}') + 1);
  t.deepEqual(
    tail.filter((event) => !event.startsWith('ADDED l0')),
    ['MODIFIED l0 {"text":"changed"}', 'ADDED l1 {"text":"t1"}', 'DELETED l2 {"text":"t2"}'].slice(3 - tail.length),
  );
  t.deepEqual(seen.at(-1), 'DELETED l2 {"text":"t2"}');
});

storeTest(
  'while the converter fails the stored version works, the other one says why not, and watches of it end with that',
  async (t, {client, path, namespace}) => {
    const [stored, other] = [path('letters', v1), path('letters', v2)];
    await createAll(client, stored, 2);
    converter.failing.add(namespace);
    t.teardown(() => converter.failing.delete(namespace));
    for (const response of [
      await client.get(other),
      await client.get(`${other}/l0`),
      await client.delete(`${other}/l0`),
      await client.patch(`${other}/l0`, {spec: {size: 4}}),
    ]) {
      t.is(response.status, 500);
      t.regex(response.json<Status>().message ?? '', /the converter is gone/);
    }
    t.is((await client.post(other, {metadata: {name: 'n'}, spec: {body: {text: 'x'}}})).status, 500);
    t.is((await client.get(`${stored}/n`)).status, 404);
    const events: {type: string; object: object}[] = [];
    for await (const event of client.watch(`${other}?watch=1`)) events.push(event);
    t.deepEqual(
      events.map(({type, object}) => `${type} ${(object as Status).message}`),
      ['ERROR the converter is gone'],
    );
    t.is((await client.patch(`${stored}/l0`, {spec: {size: 4}})).status, 200);
    t.is((await client.delete(`${stored}/l1`)).status, 200);
    converter.failing.delete(namespace);
    t.deepEqual((await client.get(`${other}/l0`)).json<ReadObject>().spec, {body: {text: 't0'}, size: 4});
  },
);
