import test from 'ava';
import {once} from 'node:events';
import {connect, type ClientHttp2Session} from 'node:http2';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {Teardown} from '../../../helpers/temp-folder.js';

async function session(t: Teardown, server: TestServer, credentials = {}): Promise<ClientHttp2Session> {
  const client = connect(server.url, {ca: (await readServerFile(server, 'pki', 'ca.crt'))!, ...credentials});
  client.on('error', () => undefined);
  t.teardown(() => client.destroy());
  return client;
}

/** The status of the answer to a request. */
async function ask(client: ClientHttp2Session, path: string, headers = {}): Promise<number | undefined> {
  const stream = client.request({':path': path, ...headers});
  const [answer] = (await once(stream, 'response')) as [{':status'?: number}];
  stream.resume();
  await once(stream, 'end');
  return answer[':status'];
}

/** Whether the server has told the client to open another connection, by the time that it has answered a further question. */
async function endsWith(client: ClientHttp2Session, path: string, headers = {}): Promise<{status: number | undefined; isEnding: boolean}> {
  let isEnding = false;
  client.once('goaway', () => (isEnding = true));
  const status = await ask(client, path, headers);
  if (!client.destroyed && !client.closed) await Promise.race([new Promise((resolve) => client.ping(resolve)), once(client, 'close')]);
  return {status, isEnding};
}

for (const isOn of [true, false])
  test(`with UnauthenticatedHTTP2DOSMitigation ${isOn ? 'on' : 'off'}, who is nobody ${isOn ? 'loses' : 'keeps'} the connection with the answer`, async (t) => {
    const server = await startTestServer({disableHttp2Serving: false, featureGates: {UnauthenticatedHTTP2DOSMitigation: isOn}});
    t.teardown(() => server.stop());
    t.deepEqual(await endsWith(await session(t, server), '/livez'), {status: 200, isEnding: isOn});
    t.deepEqual(await endsWith(await session(t, server), '/api'), {status: 403, isEnding: isOn});
    const unknown = {authorization: 'Bearer unknown'};
    t.deepEqual(await endsWith(await session(t, server), '/api', unknown), {status: 401, isEnding: isOn});
    const [cert, key] = await Promise.all(['admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
    const administrator = await session(t, server, {cert, key});
    t.deepEqual(await endsWith(administrator, '/api'), {status: 200, isEnding: false});
  });
