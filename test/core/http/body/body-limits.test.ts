import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {receive} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';
import {connectTo, requestText} from '../../../helpers/server-connection.js';
import {userClient, userCredentials} from '../../../helpers/user-client.js';

const collection = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, bytes: number) => ({metadata: {name}, data: {text: 'x'.repeat(bytes)}});

async function start(t: ExecutionContext, limits: Readonly<Record<string, string | number>>): Promise<TestServer> {
  const server = await startTestServer({limits, authorizationMode: ['AlwaysAllow']});
  t.teardown(() => server.stop());
  return server;
}

/** A write of which all but the last byte has been sent. */
async function unfinishedWrite(t: ExecutionContext, server: TestServer, bytes: number, credentials: {cert: string; key: string}) {
  const socket = await connectTo(t, server, credentials);
  const text = requestText('POST', collection, {}, JSON.stringify(configMap('unfinished', bytes)));
  await new Promise<void>((resolve) => socket.write(text.slice(0, -1), () => resolve()));
  return {socket, finish: () => socket.write(text.slice(-1))};
}

test('the setting of the largest body acts', async (t) => {
  const server = await start(t, {maxBodyBytes: '10Ki'});
  t.is((await server.client.post(collection, configMap('small', 9_000))).status, 201);
  const refused = await server.client.post(collection, configMap('large', 11_000));
  t.is(refused.status, 413);
  t.regex(refused.json<{message: string}>().message, /limit is 10240/);
});

test('when bodies take all the memory there is for them further ones are refused with 429, until they are done', async (t) => {
  const server = await start(t, {maxBodyBytesInAll: '500Ki', maxBodyBytesPerUser: '10Mi'});
  const [someone, other] = await Promise.all([userCredentials(server, 'someone'), userClient(t, server, 'other')]);
  // A little more than there is: the last that came of it has used it up.
  const {socket, finish} = await unfinishedWrite(t, server, 500 * 1024, someone);
  const refused = await eventually(
    () => other.post(collection, configMap(`c${Math.random()}`, 10)),
    ({status}) => status === 429,
  );
  t.is(refused.headers['retry-after'], '1');
  t.is((await other.get(collection)).status, 200);
  const answered = receive(socket, /HTTP\/1\.1 \d{3}/);
  finish();
  t.regex(await answered, /^HTTP\/1\.1 429 /);
  await eventually(
    () => other.post(collection, configMap('late', 10)),
    ({status}) => status === 201,
  );
});

test('one user cannot take all the memory there is for bodies', async (t) => {
  const server = await start(t, {maxBodyBytesInAll: '10Mi', maxBodyBytesPerUser: '300Ki'});
  const [credentials, someone, other] = await Promise.all([
    userCredentials(server, 'someone'),
    userClient(t, server, 'someone'),
    userClient(t, server, 'other'),
  ]);
  await unfinishedWrite(t, server, 300 * 1024, credentials);
  await eventually(
    () => someone.post(collection, configMap(`c${Math.random()}`, 10)),
    ({status}) => status === 429,
  );
  t.is((await other.post(collection, configMap('other', 10))).status, 201);
});

test('a request that is refused with much of its body to come is told so, and the connection ends', async (t) => {
  const server = await start(t, {});
  const socket = await connectTo(t, server);
  const received = receive(socket);
  socket.write(`POST /nowhere HTTP/1.1\r\nHost: orch\r\nContent-Length: 100000000\r\n\r\n`);
  const part = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < 10_000_000; sent += part.length) socket.write(part);
  t.regex(await received, /^HTTP\/1\.1 404 .*connection: close/is);
});
