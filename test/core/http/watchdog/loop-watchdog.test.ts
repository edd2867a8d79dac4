import test from 'ava';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {receive, startBareServer, type BareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';
import {startOrch} from '../../../helpers/orch-process.js';

// One at a time: each has its own server in this one process, whose turns are those of all.
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: orch\r\n\r\n`;

/** Uses the processor for so long, in milliseconds. */
function compute(millis: number): void {
  const {user, system} = process.cpuUsage();
  const used = () => {
    const now = process.cpuUsage();
    return (now.user + now.system - user - system) / 1000;
  };
  while (used() < millis);
}

/** What is logged of a slow turn that a request caused; the test has turns of its own in the same process. */
function slowTurn({logged}: BareServer) {
  return eventually(
    () => logged.find(({message, fields}) => message === 'a turn of the event loop took long' && fields['path'] !== undefined),
    (line) => line !== undefined,
  );
}

const user = {username: 'somebody', groups: []};

test.serial('a turn of the event loop that takes long is told with the request that caused it', async (t) => {
  const server = await startBareServer(t, async (exchange) => {
    exchange.user = user;
    // Longer than anything else on a busy machine may keep the process waiting.
    if (exchange.path === '/slow') compute(300);
    respondText(exchange, 200, `served ${exchange.path}`);
  });
  const socket = await server.connect();
  const received = receive(socket, /served \/last/);
  socket.write(get('/first') + get('/slow?token=secret') + get('/second') + get('/last'));
  await received;
  const line = await slowTurn(server);
  t.is(line!.level, 'warn');
  const {method, path, id, milliseconds, cpuMilliseconds} = line!.fields;
  t.deepEqual([method, path, line!.fields['user']], ['GET', '/slow', 'somebody']);
  t.regex(String(id), /^[0-9a-f-]{36}$/);
  t.true((milliseconds as number) >= 150, String(milliseconds));
  t.true((cpuMilliseconds as number) >= 150, String(cpuMilliseconds));
});

test.serial('work that goes on behind something that was waited for is that of its request', async (t) => {
  const server = await startBareServer(t, async (exchange: Exchange) => {
    exchange.user = user;
    respondText(exchange, 200, `served ${exchange.path}`);
    if (exchange.path !== '/later') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
    exchange.working();
    compute(300);
  });
  const socket = await server.connect();
  const received = receive(socket, /served \/last/);
  socket.write(get('/later') + get('/last'));
  await received;
  const line = await slowTurn(server);
  t.is(line!.fields['path'], '/later');
});

test.serial('the setting of a slow turn acts', async (t) => {
  const handle = async (exchange: Exchange) => {
    compute(200);
    respondText(exchange, 200, 'served');
  };
  const server = await startBareServer(t, handle, {slowTurn: '20s'});
  const socket = await server.connect();
  const received = receive(socket, /served/);
  socket.write(get('/'));
  await received;
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.deepEqual(
    server.logged.filter(({level}) => level === 'warn'),
    [],
  );
});

test.serial('a process that was stopped is not taken for one that computes', async (t) => {
  const orch = await startOrch(t, {store: 'memory'});
  orch.child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 400));
  orch.child.kill('SIGCONT');
  await eventually(
    () => orch.logs(),
    (logs) => logs.includes('the process did not get the processor when it wanted it'),
  );
  t.pass();
});
