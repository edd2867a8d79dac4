import {gunzipSync} from 'node:zlib';
import test from 'ava';
import {startTestServer, type TestClient, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {readDocument, withoutZeros} from '../../api/openapi/v2/document-reader.js';

const path = '/openapi/v2';
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const oldProtobufType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

let server: TestServer;
let client: TestClient;
test.before(async () => {
  server = await startTestServer({platform: 'kubernetes'});
  ({client} = server);
});
test.after.always(async () => {
  await server?.stop();
});

const definitionOf = (group: string, type: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `things.${group}`},
  spec: {
    group,
    scope: 'Namespaced',
    names: {plural: 'things', kind: 'Thing'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', properties: {value: {type}}}}}],
  },
});

/** Asks for the document until it is as it should be: types come and go a moment after their definitions. */
async function until(accept: string, fits: (document: string) => boolean): Promise<{document: string; etag: string | undefined}> {
  const ask = async () => {
    const {body, headers} = await client.get(path, {headers: {accept}});
    return {document: body.toString('latin1'), etag: headers.etag};
  };
  return eventually(ask, ({document}) => fits(document));
}

test.serial('the document is served as JSON and in the binary form, and both say the same', async (t) => {
  const json = await client.get(path);
  t.deepEqual([json.status, json.headers['content-type']], [200, 'application/json']);
  const old = await client.get(path, {headers: {accept: oldProtobufType}});
  // A media type must not have an at sign: Go's clients refuse an answer with one.
  t.deepEqual([old.status, old.headers['content-type']], [200, protobufType]);
  t.deepEqual((await client.get(path, {headers: {accept: `${protobufType}, application/json;q=0.5`}})).body, old.body);
  t.deepEqual((await client.get(path, {headers: {accept: `text/html, ${oldProtobufType};q=0.9, */*;q=0.1`}})).body, old.body);
  t.deepEqual((await client.get(path, {headers: {accept: '*/*'}})).body, json.body);
  t.deepEqual(withoutZeros(readDocument(old.body)), withoutZeros(json.json()));
  t.true(Object.keys(json.json<{definitions: object}>().definitions).length > 300);
});

test.serial('a client that has the document is told so, for each form by itself', async (t) => {
  const tags = new Set<string>();
  for (const accept of ['application/json', oldProtobufType]) {
    const {headers} = await client.get(path, {headers: {accept}});
    t.regex(headers.etag!, /^"[0-9A-F]{64}"$/);
    tags.add(headers.etag!);
    const again = await client.get(path, {headers: {accept, 'if-none-match': headers.etag!}});
    t.deepEqual([again.status, again.body.length], [304, 0]);
    t.is((await client.get(path, {headers: {accept, 'if-none-match': '"other"'}})).status, 200);
  }
  t.is(tags.size, 2);
});

test.serial('another form is refused, and so is another method', async (t) => {
  const refused = await client.get(path, {headers: {accept: 'text/html'}});
  t.deepEqual([refused.status, refused.json<{reason: string}>().reason], [406, 'NotAcceptable']);
  t.is((await client.get('/openapi/v3', {headers: {accept: protobufType}})).status, 406);
  t.is((await client.post(path, {})).status, 405);
  t.is((await client.get(`${path}/more`)).status, 404);
  t.is((await client.request('HEAD', path)).body.length, 0);
});

test.serial('it is sent compressed to those who take that', async (t) => {
  const plain = await client.get(path);
  const compressed = await client.get(path, {headers: {'accept-encoding': 'gzip'}});
  t.is(compressed.headers['content-encoding'], 'gzip');
  t.true(compressed.body.length < plain.body.length / 4);
  t.deepEqual(gunzipSync(compressed.body), plain.body);
});

test.serial('it follows types that come, change and go', async (t) => {
  const before = await client.get(path);
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  t.is((await client.post(definitions, definitionOf('come.example.com', 'string'))).status, 201);
  const name = 'com.example.come.v1.Thing';
  for (const accept of ['application/json', protobufType]) {
    const {etag} = await until(accept, (document) => document.includes(name));
    t.not(etag, before.headers.etag);
  }
  const valueOf = (document: string) =>
    (JSON.parse(document) as {definitions: Record<string, {properties: {value: {type: string}}}>}).definitions[name]?.properties.value.type;
  t.is(
    (await client.patch(`${definitions}/things.come.example.com`, {spec: definitionOf('come.example.com', 'integer').spec})).status,
    200,
  );
  await until('application/json', (document) => valueOf(document) === 'integer');
  t.is((await client.delete(`${definitions}/things.come.example.com`)).status, 200);
  // The same content as before has the same tag.
  const {etag} = await until('application/json', (document) => !document.includes(name));
  t.is(etag, before.headers.etag);
});

test.serial('requests at the same time share one document', async (t) => {
  const own = await startTestServer();
  t.teardown(() => own.stop());
  const responses = await Promise.all(Array.from({length: 8}, () => own.client.get(path)));
  t.is(new Set(responses.map(({headers}) => headers.etag)).size, 1);
  t.true(responses.every(({status}) => status === 200));
  t.true(responses[0]!.body.includes('"orch.api.core.v1.ConfigMap"'));
});
