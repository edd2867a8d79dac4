import type {Status} from '@orch-api/orch/sdk';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {answer, assertFailure} from '../../../semantics/answers.js';
import type {ReadObject} from '../../../semantics/fixtures.js';
import {definition, establish, freshGroup, version} from './definition-fixture.js';

const eachStore = testOnEachStore();
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';

eachStore('a custom resource says of what kind and version it is, and it is that of the path', async (t, {client, path}) => {
  const group = freshGroup();
  const status = {subresources: {status: {}}};
  await establish(client, definition(group, [version(undefined, status), version(undefined, {...status, name: 'v2', storage: false})]));
  const collection = path('widgets', `${group}/v1`);
  const widget = {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'one'}, spec: {a: 1}};
  const {kind: _kind, ...withoutKind} = widget;
  const {apiVersion: _apiVersion, ...withoutVersion} = widget;
  const wrong = async (send: (body: unknown) => ReturnType<typeof client.get>) => {
    for (const body of [withoutKind, {...widget, kind: ''}, {...widget, kind: null}]) {
      assertFailure(t, await send(body), 400, 'BadRequest', /kind/i);
    }
    for (const body of [withoutVersion, {...widget, apiVersion: ''}, {...widget, apiVersion: null}]) {
      assertFailure(t, await send(body), 400, 'BadRequest', /API version/);
    }
    for (const apiVersion of [`${group}/v2`, `${group}/v9`, 'v1', 'other.example.com/v1']) {
      assertFailure(t, await send({...widget, apiVersion}), 400, 'BadRequest', new RegExp(`${apiVersion}.*${group}/v1`));
    }
    const {details} = assertFailure(
      t,
      await send({...widget, kind: 'Gadget'}),
      422,
      'Invalid',
      /kind: Invalid value: "Gadget": must be Widget/,
    );
    t.deepEqual(
      details?.causes?.map(({reason, field}) => ({reason, field})),
      [{reason: 'FieldValueInvalid', field: 'kind'}],
    );
  };
  await wrong((body) => client.post(collection, body));
  t.deepEqual(answer<{items: object[]}>(t, await client.get(collection), 200).items, []);
  const made = answer<ReadObject>(t, await client.post(collection, widget), 201);
  await wrong((body) => client.put(`${collection}/one`, body));
  await wrong((body) => client.put(`${collection}/one/status`, body));
  for (const item of [`${collection}/one`, `${collection}/one/status`]) {
    assertFailure(t, await client.patch(item, {kind: 'Gadget'}, merge), 422, 'Invalid', /kind: Invalid value: "Gadget": must be Widget/);
    assertFailure(t, await client.patch(item, [{op: 'remove', path: '/kind'}], json), 422, 'Invalid', /^ "" is invalid: patch: /);
    assertFailure(t, await client.patch(item, {apiVersion: null}, merge), 422, 'Invalid', /^ "" is invalid: patch: /);
    assertFailure(t, await client.patch(item, {apiVersion: `${group}/v9`}, merge), 422, 'Invalid', /^ "" is invalid: patch: /);
  }
  t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one`), 200), made);
});

eachStore('a custom resource of a definition with one version takes that version only', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, definition(group));
  const response = await client.post(path('widgets', `${group}/v1`), {apiVersion: `${group}/v2`, kind: 'Widget', metadata: {name: 'one'}});
  t.is(response.status, 400);
  t.is(response.json<Status>().reason, 'BadRequest');
});
