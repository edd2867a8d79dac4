import test, {type ExecutionContext} from 'ava';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {CliProcess, emptyFolder} from './cli-process.js';
import {get} from 'node:https';

/** A server with a route that does something, and what it prints. */
function serve(t: ExecutionContext, body: string, flags: readonly string[] = []) {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'plugin.js'),
    `import {defineRoute, definePlugin} from '@orch-api/orch/sdk';
${body}
export default definePlugin({name: 'clumsy'}, [defineRoute({path: '/act', methods: ['GET'], create: () => ({
  start: async () => globalThis.process.env.ACT_AT === 'start' && act(),
  handle: (_request, response) => { act(); response.end('done'); },
})})]);
`,
  );
  const process = new CliProcess(
    t,
    [
      'serve',
      '--store',
      'memory',
      '--secure-port',
      '0',
      '--data-dir',
      join(folder, 'data'),
      '--plugin',
      './plugin.js',
      '--log-format',
      'json',
      ...flags,
    ],
    folder,
  );
  const act = async () => {
    await process.until('out', /ready/);
    const url = /ready (\S+)/.exec(process.out)![1]!;
    const file = (name: string) => readFileSync(join(folder, 'data/pki', name));
    get(`${url}/act`, {ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key')}, (response) => response.resume()).on(
      'error',
      () => undefined,
    );
  };
  return {process, act};
}

const lineOf = (text: string, message: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as {msg: string; plugin?: string; err?: {stack: string}; milliseconds?: number})
    .find(({msg}) => msg === message);

const loop = 'function spin() { for (;;) Math.random(); }\nfunction act() { spin(); }';
const standsStill = 'the server ends because its event loop stands still';

test.serial('a plugin whose endless loop holds up the server is named with its line, and the process ends with a failure', async (t) => {
  // The start of a server has turns too: on a slow machine one of a second.
  const {process, act} = serve(t, loop, ['--stalled-loop', '6s']);
  await act();
  const {code, err} = await process.ended;
  // A process that does not end when it is asked is killed.
  t.true(code === 1 || code === null, err);
  const line = lineOf(err, standsStill);
  t.is(line?.plugin, 'clumsy', err);
  t.regex(line!.err!.stack, /at spin \(file:.*plugin\.js:2:/);
  t.true(line!.milliseconds! >= 6000);
});

test.serial('SIGTERM ends a process whose loop stands still', async (t) => {
  const {process, act} = serve(t, loop, ['--stalled-loop', '20s']);
  await act();
  // Half of the time must pass before signals are given back.
  const again = setInterval(() => process.signal('SIGTERM'), 500);
  const began = performance.now();
  const {code, err} = await process.ended;
  clearInterval(again);
  t.is(code, null, 'it was ended by the signal');
  t.true(performance.now() - began < 20_000);
  t.is(lineOf(err, standsStill), undefined);
});

test.serial('a loop that ends in time ends nothing, and signals are handled as before', async (t) => {
  const {process, act} = serve(
    t,
    'function act() { const {user} = globalThis.process.cpuUsage(); while (globalThis.process.cpuUsage().user < user + 1e6); }',
    ['--stalled-loop', '20s'],
  );
  await act();
  await process.until('err', /a turn of the event loop took long/);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  process.signal('SIGTERM');
  const {code, err} = await process.ended;
  t.is(code, 0, err);
  t.truthy(lineOf(err, 'stopped'));
});

test.serial('a plugin that calls process.exit is told with its stack, and the code is its own', async (t) => {
  const {process, act} = serve(t, 'function act() { process.exit(0); }');
  await act();
  const {code, err} = await process.ended;
  t.is(code, 0);
  const line = lineOf(err, 'a plugin ends the process');
  t.is(line?.plugin, 'clumsy', err);
  t.regex(line!.err!.stack, /at act \(.*plugin\.js:2:/);
});
