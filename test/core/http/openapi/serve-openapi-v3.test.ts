import test from 'ava';
import {startTestServer, type TestClient, type TestServer} from '@orch-api/orch/testing';

let server: TestServer;
let client: TestClient;
test.before(async () => {
  server = await startTestServer();
  ({client} = server);
});
test.after.always(async () => {
  await server?.stop();
});

interface Document {
  readonly components: {
    readonly schemas: Record<string, {readonly properties: Record<string, {readonly enum?: string[]; readonly default?: unknown}>}>;
  };
}

async function addressOf(path: string): Promise<string> {
  const {paths} = (await client.get('/openapi/v3')).json<{paths: Record<string, {serverRelativeURL: string}>}>();
  return paths[path]!.serverRelativeURL;
}

async function schemaOf(path: string, suffix: string): Promise<Document['components']['schemas'][string]> {
  const {schemas} = (await client.get(await addressOf(path))).json<Document>().components;
  return schemas[Object.keys(schemas).find((name) => name.endsWith(suffix))!]!;
}

test('a document at an address with its hash may be kept for a year', async (t) => {
  const address = await addressOf('apis/policy/v1');
  const before = Date.now();
  const {status, headers} = await client.get(address);
  t.deepEqual([status, headers['cache-control'], headers.vary], [200, 'public, immutable', 'Accept, Accept-Encoding']);
  t.is(headers.etag, `"${new URLSearchParams(address.split('?')[1]).get('hash')}"`);
  const days = (Date.parse(headers.expires!) - before) / 86_400_000;
  t.true(days > 364.9 && days < 366.1, headers.expires);
  t.regex(headers.expires!, / GMT$/);
  const known = await client.get(address, {headers: {'if-none-match': headers.etag!}});
  t.deepEqual([known.status, known.headers['cache-control']], [304, 'public, immutable']);
});

test('the same document without a hash may change, and so may the list of documents', async (t) => {
  for (const path of ['/openapi/v3', '/openapi/v3/apis/policy/v1']) {
    const {status, headers} = await client.get(path);
    t.deepEqual([status, headers['cache-control'], headers.expires], [200, 'no-cache, private', undefined]);
  }
  const {headers} = await client.get('/openapi/v3/apis/policy/v1');
  const known = await client.get('/openapi/v3/apis/policy/v1', {headers: {'if-none-match': headers.etag!}});
  t.deepEqual([known.status, known.headers['cache-control']], [304, 'no-cache, private']);
});

test('who names the hash of another document is sent to the present one', async (t) => {
  const {status, headers, body} = await client.get('/openapi/v3/apis/policy/v1?hash=0123');
  t.deepEqual(
    [status, headers.location, headers['cache-control'], body.length],
    [301, await addressOf('apis/policy/v1'), 'no-cache, private', 0],
  );
  t.is((await client.get('/openapi/v3/api/v1?hash=0123')).headers.location, await addressOf('api/v1'));
});

test('an endpoint slice is published with all types of addresses', async (t) => {
  const {properties} = await schemaOf('apis/discovery.orch/v1', '.EndpointSlice');
  t.deepEqual(properties.addressType!.enum, ['FQDN', 'IPv4', 'IPv6']);
});

test('the default of a member that a type has from another one is published', async (t) => {
  t.is((await schemaOf('apis/admissionregistration.orch/v1', '.RuleWithOperations')).properties.scope!.default, '*');
});
