import test from 'ava';
import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {TestClient} from '@orch-api/orch/testing';
import {projectRoot} from '../../helpers/project-root.js';
import {CliProcess, emptyFolder, orch} from './cli-process.js';

const maps = '/api/v1/namespaces/default/configmaps';
const code = (answer: string, typed = '') => `import {defineRoute, definePlugin} from '@orch-api/orch/sdk';
const answer${typed} = '${answer}';
export default definePlugin({name: 'hello'}, [
  defineRoute({path: '/hello', methods: ['GET'], create: () => ({handle: (_request, response) => void response.end(answer)})}),
]);
`;

/** A server in development, and how to talk to it. */
async function begin(t: Parameters<typeof emptyFolder>[0], folder: string, extra: readonly string[] = []) {
  const dev = new CliProcess(t, ['plugins', 'dev', folder, '--secure-port', '0', ...extra], folder);
  await dev.until('out', /^ready \S+ kubeconfig=\S+$/m);
  const connect = async () => {
    const url = /server: "?(https:[^\s"]+)/.exec(readFileSync(join(folder, '.orch/admin.kubeconfig'), 'utf8'))![1]!;
    const client = await TestClient.open(url, join(folder, '.orch/pki'));
    t.teardown(() => client.close());
    return client;
  };
  return {dev, connect, restarts: (count: number) => dev.until('out', new RegExp(`(?:restarted in \\d+ ms[^]*?){${count}}`))};
}

test('plugins dev runs what a plugin has become, keeps data, and goes on when a fault is mended', async (t) => {
  const folder = emptyFolder(t);
  const file = join(folder, 'plugin.ts');
  writeFileSync(file, code('one', ': string'));
  const {dev, connect, restarts} = await begin(t, folder);
  const first = await connect();
  t.is((await first.get('/hello')).body.toString(), 'one');
  t.is((await first.post(maps, {metadata: {name: 'kept'}})).status, 201);

  writeFileSync(file, code('two', ': string'));
  await restarts(1);
  const second = await connect();
  t.is((await second.get('/hello')).body.toString(), 'two');
  t.is((await second.get(`${maps}/kept`)).status, 200);

  // What the check finds.
  writeFileSync(file, code('three').replace("path: '/hello'", "path: 'hello'"));
  await dev.until('err', /routes\[0\]\.path must match[^]*the server goes on with the version before; waiting for a change/);
  t.is((await second.get('/hello')).body.toString(), 'two');
  // What Node.js finds.
  writeFileSync(file, 'const = ;');
  await dev.until('err', /importing \S+plugin\.ts failed[^]*goes on/);
  // What only a start finds.
  writeFileSync(
    file,
    code('three').replace('create: () => (', "create: () => { throw new Error('not today'); return (").replace(')})}),', ')});}}),'),
  );
  await dev.until('err', /not today[^]*no server runs; waiting for a change/);

  writeFileSync(file, code('three'));
  await dev.until('out', /(?:^ready [^]*){2}/m);
  const third = await connect();
  t.is((await third.get('/hello')).body.toString(), 'three');
  t.is((await third.get(`${maps}/kept`)).status, 200);
  dev.signal('SIGTERM');
  t.is((await dev.ended).code, 0);
});

test('plugins dev builds a plugin that has a build, and shows what does not compile', async (t) => {
  const folder = emptyFolder(t);
  t.is((await orch(t, ['plugins', 'new', 'hello', '--kind', 'route', '--typescript', '--dir', folder], folder)).code, 0);
  mkdirSync(join(folder, 'node_modules/@orch-api'), {recursive: true});
  symlinkSync(projectRoot(), join(folder, 'node_modules/@orch-api/orch'));
  for (const name of ['@types', '.bin']) symlinkSync(join(projectRoot(), 'node_modules', name), join(folder, 'node_modules', name));
  const file = join(folder, 'src/plugin.ts');
  const source = readFileSync(file, 'utf8');
  const {dev, connect, restarts} = await begin(t, folder);
  const before = await (await connect()).get('/hello');
  t.is(before.status, 200);

  writeFileSync(file, `${source}\nconst count: number = 'three';\n`);
  await dev.until('err', /src\/plugin\.ts[^\n]*TS2322[^]*the server goes on with the version before; waiting for a change/);
  t.is((await (await connect()).get('/hello')).status, 200);
  writeFileSync(file, source.replace('items.length', 'items.length + 1000'));
  await restarts(1);
  t.true((await (await connect()).get('/hello')).json<{configMaps: number}>().configMaps >= 1000);
  dev.signal('SIGTERM');
  t.is((await dev.ended).code, 0);
});
