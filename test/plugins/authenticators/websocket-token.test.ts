import {writeFileSync} from 'node:fs';
import type {IncomingMessage} from 'node:http';
import {join} from 'node:path';
import test from 'ava';
import {forwardedHeaders} from '@orch-api/orch/families/proxy/forwarded-headers';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {HttpsClient} from '../../helpers/https-client.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {strangerClient} from '../../helpers/user-client.js';

let server: TestServer;
const cleanups: (() => void | Promise<void>)[] = [];
test.before(async () => {
  const folder = tempFolder({teardown: (cleanup) => void cleanups.push(cleanup)});
  writeFileSync(join(folder, 'tokens.csv'), 'sesame,ursula,1,system:masters');
  server = await startTestServer({flags: {'token-auth-file': join(folder, 'tokens.csv'), 'anonymous-auth': false}});
});
test.after.always(async () => {
  await server.stop();
  for (const cleanup of cleanups) await cleanup();
});

const carried = (token: string) => `base64url.bearer.authorization.orch.${Buffer.from(token).toString('base64url')}`;

async function status(client: HttpsClient, protocols: string, upgrade = 'websocket'): Promise<number> {
  const headers = {
    connection: 'Upgrade',
    upgrade,
    'sec-websocket-protocol': protocols,
    'sec-websocket-version': '13',
    'sec-websocket-key': 'x',
  };
  return (await client.request('GET', '/api/v1/namespaces', {headers})).status;
}

test('a WebSocket request may carry its bearer token as a subprotocol beside others; anything else there is no credential', async (t) => {
  const client = await strangerClient(t, server);
  t.is(await status(client, `v4.channel, ${carried('sesame')}`), 200);
  const refused = [
    carried('sesame'),
    `v4.channel, ${carried('wrong')}`,
    `v4.channel, ${carried('sesame')}, ${carried('sesame')}`,
    `v4.channel, ${carried('sesame')}=`,
    `v4.channel, base64url.bearer.authorization.orch./+`,
    `v4.channel, base64url.bearer.authorization.orch.`,
    `v4.channel, base64url.bearer.authorization.k8s.io.${Buffer.from('sesame').toString('base64url')}`,
    'v4.channel',
  ];
  for (const protocols of refused) t.is(await status(client, protocols), 401, protocols);
  t.is(await status(client, `v4.channel, ${carried('sesame')}`, 'SPDY/3.1'), 401, 'of WebSocket requests only');
});

test('what a request is handed on with has the other subprotocols and no token', (t) => {
  const incoming = {
    headers: {'sec-websocket-protocol': `${carried('sesame')}, v4.channel,v5.channel`},
    socket: {},
  } as unknown as IncomingMessage;
  const backend = {protocol: 'https', host: 'pod', port: 443, path: '/'} as const;
  t.is(forwardedHeaders(incoming, backend)['sec-websocket-protocol'], 'v4.channel, v5.channel');
  const none = {headers: {'sec-websocket-protocol': carried('sesame')}, socket: {}} as unknown as IncomingMessage;
  t.false('sec-websocket-protocol' in forwardedHeaders(none, backend));
});
