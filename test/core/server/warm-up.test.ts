import test, {type ExecutionContext} from 'ava';
import {connect} from 'node:net';
import {once} from 'node:events';
import {createServer, type ServerOptions} from '@orch-api/orch';
import {until} from '../../helpers/eventually.js';
import {tempFolder} from '../../helpers/temp-folder.js';

async function start(t: ExecutionContext, options: ServerOptions = {}) {
  const server = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t), platform: 'kubernetes', ...options});
  t.teardown(() => server.stop());
  await server.start();
  return server;
}

/** How many requests for ConfigMaps and namespaces a server has answered. */
async function answered({metricsText}: {metricsText(form: 'text'): Promise<string>}): Promise<number> {
  const lines = (await metricsText('text')).matchAll(/^apiserver_request_total\{.*resource="(?:configmaps|namespaces)".*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

const countOf = (server: Awaited<ReturnType<typeof start>>) => answered({metricsText: (form) => server.metricsText(form)});

test('a server that nobody uses answers a few requests of its own, and keeps no connection', async (t) => {
  const server = await start(t);
  const before = await countOf(server);
  await server.warmUp();
  t.is((await countOf(server)) - before, 4);
  await until('the connection is closed', () => server.figures?.connections === 0);
});

test('a server that somebody uses, whose requests are audited or that has stopped asks itself nothing', async (t) => {
  const used = await start(t);
  const socket = connect(Number(new URL(used.url).port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  await until('the connection is known', () => used.figures?.connections === 1);
  await used.warmUp();
  t.is(await countOf(used), 0);
  await used.stop();
  await t.notThrowsAsync(used.warmUp());
});
