import {once} from 'node:events';
import {connect as connectPlain} from 'node:net';
import {connect, type TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {eventually} from '../helpers/eventually.js';
import {httpsClient} from '../helpers/https-client.js';
import {startOrch, type OrchProcess} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';
import {tempFolder} from '../helpers/temp-folder.js';

const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data: {text: name}});

/** A connection whose bytes a test sees as they are. */
interface RawConnection {
  readonly socket: TLSSocket;
  /** All that has come so far. */
  received(): string;
  /** Waits until what has come matches. */
  until(pattern: RegExp): Promise<void>;
  /** How the connection ended: by a proper end of the server, or by an error. */
  readonly ended: Promise<'end' | Error>;
}

async function rawConnection(t: ExecutionContext, {url, ca, cert, key}: OrchProcess): Promise<RawConnection> {
  const {hostname, port} = new URL(url);
  const socket = connect({host: hostname, port: Number(port), ca, cert, key});
  t.teardown(() => socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = new Promise<'end' | Error>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', resolve);
    socket.once('close', () => resolve(new Error('closed without an end')));
  });
  await once(socket, 'secureConnect');
  return {
    socket,
    ended,
    received: () => text,
    until: async (pattern) =>
      void (await eventually(
        () => text,
        (received) => pattern.test(received),
      )),
  };
}

const head = (method: string, target: string, more = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: orch\r\nAccept: application/json\r\n${more}\r\n`;

/** Sends SIGTERM and waits until the port takes no connections. Answers the exit code to come. */
async function beginStop(orch: OrchProcess): Promise<{exitCode: Promise<number | null>}> {
  const exitCode = once(orch.child, 'exit').then(([code]) => code as number | null);
  orch.child.kill('SIGTERM');
  await eventually(
    () => takesConnections(orch),
    (taken) => !taken,
  );
  return {exitCode};
}

/** Whether the port still takes connections. */
function takesConnections({url}: OrchProcess): Promise<boolean> {
  const {hostname, port} = new URL(url);
  return new Promise((resolve) => {
    const socket = connectPlain({host: hostname, port: Number(port)});
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

for (const kind of ['embedded', 'redis'] as const) {
  test(`SIGTERM: watches end properly, requests under way are answered, new connections are refused, the exit code is 0, ${kind} store`, async (t) => {
    const orch = await startOrch(t, kind === 'redis' ? {store: (await startRedis(t)).url} : {});
    const client = httpsClient(t, orch);
    t.is((await client.post(path, configMap('before'))).status, 201);
    client.close();

    const watch = await rawConnection(t, orch);
    watch.socket.write(head('GET', `${path}?watch=1`));
    await watch.until(/"name":"before"/);
    const idle = await rawConnection(t, orch);
    idle.socket.write(head('GET', `${path}/before`));
    await idle.until(/"name":"before"/);

    // Bodies that are half there when the signal comes: a create, and an update, which reads before it writes.
    const body = JSON.stringify(configMap('under-way'));
    const change = JSON.stringify({data: {text: 'changed'}});
    const sending = (method: string, target: string, text: string, type: string) =>
      `${head(method, target, `Content-Type: ${type}\r\nContent-Length: ${text.length}\r\n`)}${text.slice(0, 10)}`;
    const create = await rawConnection(t, orch);
    create.socket.write(sending('POST', path, body, 'application/json'));
    const update = await rawConnection(t, orch);
    update.socket.write(sending('PATCH', `${path}/before`, change, 'application/merge-patch+json'));
    // One more request over each connection's neighbour makes sure that the server has read the heads above.
    const last = await rawConnection(t, orch);
    last.socket.write(head('GET', `${path}/before`));
    await last.until(/"name":"before"/);

    const {exitCode} = await beginStop(orch);
    t.is(await idle.ended, 'end');
    t.is(await watch.ended, 'end');
    t.true(watch.received().endsWith('\r\n0\r\n\r\n'), 'the last chunk of the watch is there');

    const finishing = performance.now();
    create.socket.write(body.slice(10));
    update.socket.write(change.slice(10));
    t.is(await create.ended, 'end');
    t.regex(create.received(), /^HTTP\/1\.1 201 Created\r\n/);
    t.regex(create.received(), /"name":"under-way"/);
    t.is(await update.ended, 'end');
    t.regex(update.received(), /^HTTP\/1\.1 200 OK\r\n/);
    t.regex(update.received(), /"text":"changed"/);
    t.is(await exitCode, 0);
    // Nothing is left to wait for: the time that requests may take when the server stops is not used up.
    t.true(performance.now() - finishing < 5_000);
  });
}

test('connections that say nothing, before or behind the handshake, do not hold up the stop', async (t) => {
  const orch = await startOrch(t, {store: 'memory'});
  const {hostname, port} = new URL(orch.url);
  const silent = connectPlain({host: hostname, port: Number(port)});
  t.teardown(() => silent.destroy());
  const cut = new Promise<void>((resolve) =>
    silent
      .once('close', () => resolve())
      .on('error', () => undefined)
      .resume(),
  );
  await once(silent, 'connect');
  const waiting = await rawConnection(t, orch);
  const started = performance.now();
  const {exitCode} = await beginStop(orch);
  await cut;
  await waiting.ended;
  t.is(await exitCode, 0);
  t.true(performance.now() - started < 5_000);
});

test('an answer that the client takes its time to read arrives whole', async (t) => {
  const orch = await startOrch(t, {store: 'memory'});
  const client = httpsClient(t, orch);
  const made = await Promise.all(
    Array.from({length: 40}, (_, index) => client.post(path, {...configMap(`large-${index}`), data: {text: 'x'.repeat(500_000)}})),
  );
  t.true(made.every(({status}) => status === 201));
  client.close();
  const list = await rawConnection(t, orch);
  list.socket.write(head('GET', path));
  await list.until(/"items"/);
  list.socket.pause();
  const {exitCode} = await beginStop(orch);
  list.socket.resume();
  t.is(await list.ended, 'end');
  const text = list.received();
  const length = Number(/^Content-Length: (\d+)\r$/m.exec(text)?.[1]);
  t.is(Buffer.byteLength(text.slice(text.indexOf('\r\n\r\n') + 4)), length);
  t.is(await exitCode, 0);
});

test('what was answered while the server drained is stored', async (t) => {
  const dataDir = tempFolder(t, 'orch-drain-');
  const before = await startOrch(t, {dataDir});
  const body = JSON.stringify(configMap('late'));
  const create = await rawConnection(t, before);
  create.socket.write(`${head('POST', path, `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`)}${body.slice(0, 10)}`);
  const last = await rawConnection(t, before);
  last.socket.write(head('GET', path));
  await last.until(/"items"/);
  const {exitCode} = await beginStop(before);
  create.socket.write(body.slice(10));
  await create.ended;
  t.regex(create.received(), /^HTTP\/1\.1 201 Created\r\n/);
  t.is(await exitCode, 0);
  const after = await startOrch(t, {dataDir});
  t.is((await httpsClient(t, after).get(`${path}/late`)).status, 200);
});

test('a request that never ends is cut when its time is over, and the server stops all the same', async (t) => {
  const orch = await startOrch(t, {store: 'memory'});
  const stuck = await rawConnection(t, orch);
  stuck.socket.write(`${head('POST', path, 'Content-Type: application/json\r\nContent-Length: 1000\r\n')}{`);
  const last = await rawConnection(t, orch);
  last.socket.write(head('GET', path));
  await last.until(/"items"/);
  t.is(await orch.stop(), 0);
  await stuck.ended;
  t.notRegex(stuck.received(), /^HTTP\/1\.1 2/);
});
