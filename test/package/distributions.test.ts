import test, {type ExecutionContext} from 'ava';
import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {get} from 'node:https';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {startProgram} from '../helpers/envtest-pair.js';
import {freePort} from '../helpers/free-port.js';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';

/* The image's root file system and the single file, made as their scripts make them. */

const script = (path: string) => import(pathToFileURL(join(projectRoot(), 'scripts', path)).href) as Promise<unknown>;
/** Without what the machine of the test sets for Node.js. */
const env = {NODE_EXTRA_CA_CERTS: '', NODE_OPTIONS: ''};

/** What libraries write and read that are loaded by name when they are first needed. */
async function answersInAllForms(t: ExecutionContext, url: string): Promise<void> {
  const forms = {'application/yaml': /^apiVersion: v1$/m, 'application/vnd.orch.protobuf': /Status/};
  for (const [accept, form] of Object.entries(forms)) {
    const {type, text} = await new Promise<{type: string | undefined; text: string}>((resolve, reject) => {
      get(`${url}/api/v1/namespaces`, {rejectUnauthorized: false, agent: false, headers: {accept}}, (response) => {
        let body = '';
        response.setEncoding('latin1').on('data', (part: string) => (body += part));
        response.on('end', () => resolve({type: response.headers['content-type'], text: body}));
      }).on('error', reject);
    });
    t.is(type, accept, text);
    t.regex(text, form);
  }
}

test.serial("the image's root file system is below 120 MiB, and runs read-only as a user without rights", async (t) => {
  t.timeout(120_000);
  const {writeRootFilesystem, user} = (await script('image/root-filesystem.mjs')) as {
    writeRootFilesystem(root: string, out: string, target: string): Promise<number>;
    user: number;
  };
  const folder = tempFolder(t);
  const [root, data] = [join(folder, 'root'), join(folder, 'data')];
  const bytes = await writeRootFilesystem(projectRoot(), join(projectRoot(), 'dist'), root);
  t.log(`${(bytes / 1e6).toFixed(1)} MB`);
  t.true(bytes < 120 * 2 ** 20, `${bytes} bytes`);
  const isRoot = process.getuid!() === 0;
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child=TERM', ...(isRoot ? [] : ['--map-root-user'])];
  if (spawnSync('unshare', [...namespaces, 'true']).status !== 0) {
    t.log('not run: this machine allows no namespaces');
    return;
  }
  mkdirSync(data, {mode: 0o700});
  if (isRoot) chownSync(data, user, user);
  const mounts = [
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"',
    'mount --bind "$2" "$1/data" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"',
    `shift 2 && exec chroot ${isRoot ? `--userspec=${user}:${user} ` : ''}"$@"`,
  ].join(' && ');
  const port = await freePort();
  const serve = ['/usr/bin/node', '/opt/orch/core/cli/main.js', 'serve', '--data-dir', '/data', '--secure-port', String(port)];
  const program = await startProgram(
    'unshare',
    [...namespaces, 'sh', '-c', mounts, 'sh', root, data, root, ...serve],
    `https://127.0.0.1:${port}`,
    '/healthz',
    {...env, XDG_CACHE_HOME: '/data/.cache'},
  );
  await answersInAllForms(t, program.url);
  // `unshare` ignores the signal and hands on the exit code.
  const ended = once(program.child, 'close');
  const children = readFileSync(`/proc/${program.child.pid}/task/${program.child.pid}/children`, 'utf8');
  process.kill(Number(children), 'SIGTERM');
  t.is((await ended)[0], 0, program.logs());
  t.true(statSync(join(data, 'store')).isDirectory());
  if (isRoot) t.is(statSync(join(data, 'admin.kubeconfig')).uid, user);
  t.deepEqual(readdirSync(join(root, 'tmp')), []);
});

test.serial('the single file runs servers and the assets of envtest, and keeps its program once', async (t) => {
  t.timeout(120_000);
  const {writeSingleFile} = (await script('single-file/single-file.mjs')) as {
    writeSingleFile(root: string, out: string, target: string): Promise<number>;
  };
  const folder = tempFolder(t);
  const file = join(folder, 'orch');
  const bytes = await writeSingleFile(projectRoot(), join(projectRoot(), 'dist'), file);
  t.log(`${(bytes / 1e6).toFixed(1)} MB`);
  t.true(bytes < 120 * 2 ** 20, `${bytes} bytes`);
  const caches = join(folder, 'caches');
  const own = {...env, XDG_CACHE_HOME: caches, PATH: '/bin:/usr/bin'};
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawnSync(file, args, {encoding: 'utf8', env: {...own, ...more}, cwd: folder});

  // Programs that nobody has used for long, and one that was.
  const [old, other] = ['old', 'other'].map((name) => join(caches, 'orch/programs', name)) as [string, string];
  for (const program of [old, other]) mkdirSync(join(program, 'core'), {recursive: true, mode: 0o700});
  utimesSync(old, 0, 0);

  const port = await freePort();
  const serve = ['serve', '--data-dir', join(folder, 'data'), '--secure-port', String(port), '--workers', '2'];
  const program = await startProgram(file, serve, `https://127.0.0.1:${port}`, '/readyz', own);
  await answersInAllForms(t, program.url);
  t.is((await program.stop()).code, 0, program.logs());

  t.is(run(['envtest', join(folder, 'assets')]).status, 0);
  t.regex(spawnSync(join(folder, 'assets/kube-apiserver'), ['--version'], {encoding: 'utf8', env: own}).stdout, /^Kubernetes v1/);
  t.regex(spawnSync(join(folder, 'assets/etcd'), ['--version'], {encoding: 'utf8', env: own}).stdout, /^etcd Version/);
  t.false(existsSync(old));
  t.true(existsSync(other));
  rmSync(other, {recursive: true});
  t.is(readdirSync(join(caches, 'orch/programs')).length, 1);

  writeFileSync(join(folder, 'no-folder'), '');
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  // Others could put a folder of theirs in the place of the one that is there.
  const [kept] = readdirSync(join(caches, 'orch/programs'));
  writeFileSync(join(caches, 'orch/programs', kept!, 'core/cli/run.js'), 'throw new Error("code of others")');
  t.regex(run(['version']).stderr, /code of others/);
  chmodSync(folder, 0o777);
  for (const name of ['no-folder', 'caches']) {
    const {stdout, stderr} = run(['version'], {XDG_CACHE_HOME: join(folder, name), TMPDIR: temporary});
    t.regex(stdout, /^orch /, stderr);
    t.true(existsSync(temporary));
    t.deepEqual(readdirSync(temporary), []);
  }
});
