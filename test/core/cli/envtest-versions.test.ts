import test, {type ExecutionContext} from 'ava';
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {newestRelease} from '../../../core/api/lifetimes/releases.js';
import {run} from '../../../core/cli/run.js';
import {versionSelector, type Version} from '../../../core/cli/envtest/version-selector.js';
import {platform} from '../../../core/cli/envtest/asset-versions.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const suffix = platform.replace('/', '-');

/** Runs `orch envtest` in a folder of its own. */
function envtest(t: ExecutionContext) {
  const cwd = tempFolder(t);
  return {
    cwd,
    folder: (version: string) => join(cwd, 'bin/k8s', `${version}-${suffix}`),
    async orch(...args: string[]) {
      let [out, err] = ['', ''];
      const terminal = {cwd, out: {write: (text: string) => (out += text)}, err: {write: (text: string) => (err += text)}};
      const code = await run(['envtest', ...args, '--bin-dir', 'bin'], terminal);
      return {code, out, err};
    },
  };
}

test('selectors of versions mean what they mean for setup-envtest', (t) => {
  const versions: readonly Version[] = [
    [1, 29, 9],
    [1, 30, 0],
    [1, 30, 4],
    [1, 31, 1],
  ];
  const chosen = (text: string) => versions.filter((version) => versionSelector(text).matches(version)).map((version) => version.join('.'));
  for (const text of ['1.30', '1.30.x', '1.30.*', 'v1.30', '1.30.x!', '~1.30', '~1.30.0'])
    t.deepEqual(chosen(text), ['1.30.0', '1.30.4'], text);
  t.deepEqual(chosen('1.30.4'), ['1.30.4']);
  t.deepEqual(chosen('~1.30.1'), ['1.30.4']);
  t.deepEqual(chosen('<1.30'), ['1.29.9']);
  t.deepEqual(chosen('<1.30.4'), ['1.29.9', '1.30.0']);
  t.deepEqual(chosen('<=1.30'), ['1.29.9', '1.30.0', '1.30.4']);
  for (const text of ['', 'latest', 'latest-on-disk']) t.is(chosen(text).length, versions.length, text);
  for (const text of ['1', '1.x', '1.30.', '>1.30', '1.30.4.1', '01.30', 'newest', '1.30 ', '../1.30', '1.99999'])
    t.throws(() => versionSelector(text), {name: 'UsageError', message: /selects no version/}, text);
});

test('use writes the assets of a version where envtest looks for them, and prints them as setup-envtest does', async (t) => {
  const {orch, folder} = envtest(t);
  t.deepEqual(await orch('use', '1.34.1', '-p', 'path'), {code: 0, out: folder('1.34.1'), err: ''});
  t.deepEqual(readdirSync(folder('1.34.1')).sort(), ['etcd', 'kube-apiserver', 'kubectl']);
  t.regex(readFileSync(join(folder('1.34.1'), 'kube-apiserver'), 'utf8'), /'--release=1\.34' "\$@"/);
  const {stdout} = await promisify(execFile)(join(folder('1.34.1'), 'kube-apiserver'), ['--version']);
  t.regex(stdout, /^Kubernetes v1\.34\.\d+\+orch\./);
  t.is((await orch('use', '1.30.x', '-p', 'env')).out, `export KUBEBUILDER_ASSETS='${folder('1.30.0')}'\n`);
  t.is((await orch('use', '1.34')).out, `Version: 1.34.1\nOS/Arch: ${platform}\nPath: ${folder('1.34.1')}\n`, 'one that is there is taken');
  t.is((await orch('use', '-p', 'path')).out, folder(`${newestRelease}.0`), 'the newest release');
});

test('with -i only what is there counts', async (t) => {
  const {orch, cwd, folder} = envtest(t);
  const missing = await orch('use', '-i', '1.33');
  t.is(missing.code, 1);
  t.regex(missing.err, /no such version is in .*bin.k8s/);
  t.false(existsSync(join(cwd, 'bin')), 'nothing is written');
  await orch('use', '1.33.2');
  await orch('use', '1.30.1');
  t.is((await orch('use', '-i', '-p', 'path', '<1.33')).out, folder('1.30.1'));
  t.is((await orch('use', 'latest-on-disk', '-p', 'path')).out, folder('1.33.2'));
  t.is((await orch('list', '-i')).out, `(installed)  v1.33.2   ${platform}\n(installed)  v1.30.1   ${platform}\n`);
  t.is(
    (await orch('list', '1.30')).out,
    `(installed)  v1.30.1   ${platform}\n(available)  v1.30.0   ${platform}\n`,
    'what can be written too',
  );
});

test('a release that Orch does not have is refused with those that it has', async (t) => {
  const {orch} = envtest(t);
  for (const version of ['1.25.0', '1.99', '2.30.0', '<1.26']) {
    const {code, err} = await orch('use', version);
    t.is(code, 1, version);
    t.regex(err, /there is no such version: the releases are 1\.26 to 1\.\d+/, version);
  }
});

test('assets of others and files beside ours are neither used, nor replaced, nor taken away', async (t) => {
  const {orch, folder} = envtest(t);
  mkdirSync(folder('1.32.0'), {recursive: true});
  const real = join(folder('1.32.0'), 'kube-apiserver');
  writeFileSync(real, '\x7fELF');
  t.is((await orch('list', '-i')).out, '');
  const {code, err} = await orch('use', '1.32.0');
  t.is(code, 1);
  t.regex(err, /kube-apiserver that orch envtest did not write/);
  await orch('use', '1.31.0');
  await orch('use', '1.29.0');
  writeFileSync(join(folder('1.29.0'), 'notes'), '');
  t.is((await orch('cleanup')).out, `removed 1.31.0 (${platform})\nremoved 1.29.0 (${platform})\n`);
  t.is(readFileSync(real, 'latin1'), '\x7fELF');
  t.deepEqual(readdirSync(folder('1.29.0')), ['notes']);
  t.false(existsSync(folder('1.31.0')));
});

test('orch envtest --release writes servers of that release, by itself to a folder of the release', async (t) => {
  const data = tempFolder(t);
  const command = fileURLToPath(new URL('../../../bundle/core/cli/main.js', import.meta.url));
  const envtest = (...args: string[]) =>
    promisify(execFile)(process.execPath, [command, 'envtest', ...args], {cwd: data, env: {...process.env, XDG_DATA_HOME: data}});
  const versionIn = async (folder: string) => (await promisify(execFile)(join(folder, 'kube-apiserver'), ['--version'])).stdout;
  const {stdout} = await envtest('--release', '1.34');
  t.is(stdout, `export KUBEBUILDER_ASSETS='${join(data, 'orch/envtest/1.34')}'\n`);
  t.regex(await versionIn(join(data, 'orch/envtest/1.34')), /^Kubernetes v1\.34\./);
  await envtest('own', '--release=1.30');
  t.regex(await versionIn(join(data, 'own')), /^Kubernetes v1\.30\./);
  const refused = await t.throwsAsync<Error & {code: number; stderr: string}>(envtest('--release', '1.99'));
  t.is(refused.code, 1);
  t.regex(refused.stderr, /the release must be one from 1\.26 to 1\.36, written as 1\.30, not "1\.99"/);
});
