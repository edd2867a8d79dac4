import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {strangerClient} from '../../helpers/user-client.js';
import {holderOf, statusWith} from './identity.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({flags: {'enable-bootstrap-token-auth': true}});
});
test.after.always(() => server?.stop());

const secretPart = '0123456789abcdef';

interface Options {
  data?: Record<string, string | undefined>;
  type?: string;
  namespace?: string;
  name?: string;
}

/** Stores a token's Secret and answers the token. */
async function bootstrapToken(
  on: TestServer,
  id: string,
  {data = {}, type = 'bootstrap.orch/token', namespace = 'orch-system', name = `bootstrap-token-${id}`}: Options = {},
): Promise<string> {
  const stringData = {
    'token-id': id,
    'token-secret': secretPart,
    'usage-bootstrap-authentication': 'true',
    description: 'for a test',
    ...data,
  };
  const {status, body} = await on.client.post(`/api/v1/namespaces/${namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    type,
    metadata: {name},
    stringData: JSON.parse(JSON.stringify(stringData)) as object,
  });
  if (status !== 201) throw new Error(body.toString());
  return `${id}.${secretPart}`;
}

test('[B-BOOT-3] [B-BOOT-8] [B-BOOT-10] a bootstrap token authenticates as its id in system:bootstrappers and in the extra groups of its Secret', async (t) => {
  const token = await bootstrapToken(server, 'aaaaa1', {
    data: {'auth-extra-groups': 'system:bootstrappers:workers,system:bootstrappers:ingress'},
  });
  t.deepEqual(await holderOf(server, token), {
    username: 'system:bootstrap:aaaaa1',
    groups: ['system:bootstrappers', 'system:bootstrappers:workers', 'system:bootstrappers:ingress', 'system:authenticated'],
  });
  t.is(await statusWith(await strangerClient(t, server), token), 200);
});

test('[B-BOOT-1] [B-BOOT-5] another form, another secret, an unknown id, and a Secret without its parts are answered 401', async (t) => {
  const client = await strangerClient(t, server);
  const good = await bootstrapToken(server, 'bbbbb1');
  t.is(await statusWith(client, good), 200);
  for (const bad of [
    good.slice(0, -1),
    `${good}0`,
    good.toUpperCase(),
    good.replace('.', '-'),
    `bbbbb1.${'0'.repeat(16)}`,
    `bbbbb2.${secretPart}`,
  ])
    t.is(await statusWith(client, bad), 401, bad);
  t.is(await statusWith(client, await bootstrapToken(server, 'bbbbb3', {data: {'token-id': undefined}})), 401);
  t.is(await statusWith(client, await bootstrapToken(server, 'bbbbb4', {data: {'token-secret': undefined}})), 401);
  t.is(await statusWith(client, await bootstrapToken(server, 'bbbbb5', {data: {'token-id': 'bbbbb1'}})), 401);
});

test('[B-BOOT-4] a Secret of another type, name or namespace does not count', async (t) => {
  const client = await strangerClient(t, server);
  t.is(await statusWith(client, await bootstrapToken(server, 'ccccc1', {type: 'Opaque'})), 401);
  t.is(await statusWith(client, await bootstrapToken(server, 'ccccc2', {namespace: 'default'})), 401);
  t.is(await statusWith(client, await bootstrapToken(server, 'ccccc3', {name: 'my-token'})), 401);
});

test('[B-BOOT-6] [B-BOOT-7] a token that has expired or is not for authentication is answered 401, at once when its Secret changes', async (t) => {
  const client = await strangerClient(t, server);
  const at = (millis: number) => ({expiration: new Date(Date.now() + millis).toISOString().replace(/\.\d+/, '')});
  t.is(await statusWith(client, await bootstrapToken(server, 'ddddd1', {data: at(-2000)})), 401);
  t.is(await statusWith(client, await bootstrapToken(server, 'ddddd2', {data: {expiration: 'tomorrow'}})), 401);
  t.is(await statusWith(client, await bootstrapToken(server, 'ddddd4', {data: {expiration: '2999'}})), 401, 'not of RFC 3339');
  for (const [index, usage] of [undefined, 'false', 'True', ''].entries()) {
    t.is(
      await statusWith(client, await bootstrapToken(server, `dddde${index}`, {data: {'usage-bootstrap-authentication': usage}})),
      401,
      usage,
    );
  }
  const token = await bootstrapToken(server, 'ddddd3', {data: at(60_000)});
  t.is(await statusWith(client, token), 200);
  await server.client.delete('/api/v1/namespaces/orch-system/secrets/bootstrap-token-ddddd3');
  t.is(await statusWith(client, token), 401);
});

test('[B-BOOT-9] a group that is no bootstrap group is never granted', async (t) => {
  const client = await strangerClient(t, server);
  for (const [index, groups] of ['system:masters', 'system:bootstrappers:a,system:masters', 'system:bootstrappers:'].entries()) {
    const token = await bootstrapToken(server, `eeeee${index}`, {data: {'auth-extra-groups': groups}});
    t.is(await statusWith(client, token), 401, groups);
  }
});

test('[B-BOOT-2] without --enable-bootstrap-token-auth a bootstrap token is no credential', async (t) => {
  const other = await startTestServer();
  t.teardown(() => other.stop());
  t.is(await statusWith(await strangerClient(t, other), await bootstrapToken(other, 'fffff1')), 401);
});
