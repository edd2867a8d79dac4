// Tries the package as a user gets it: packs it, installs it in empty projects outside of the repository, and runs it there.
//
//   node scripts/try-package.mjs [--clone] [--tarball FILE] [--linked] [--nodes 22.20.0,24.21.0] [--only NAME…] [--keep]
//
// --clone packs a fresh clone, as `npm publish` on another machine would; otherwise the last build is packed. --linked takes the
// packages that ours depends on from this repository instead of the registry, for a quick run without network, which leaves out trials that need others. --only names trials.
import './require-node.mjs';
import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {environmentWith} from './package/node-release.mjs';
import {installedSize, packageFaults} from './package/package-faults.mjs';
import {trials} from './package/trials.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({
  options: {
    clone: {type: 'boolean', default: false},
    tarball: {type: 'string'},
    linked: {type: 'boolean', default: false},
    nodes: {type: 'string', default: process.versions.node},
    only: {type: 'string', multiple: true, default: []},
    keep: {type: 'boolean', default: false},
  },
});
const work = realpathSync(mkdtempSync(join(tmpdir(), 'orch-try-')));
const problems = [];

/** Runs a program to its end. @throws Error with all its output if it fails or takes more than ten minutes */
function run(command, argv, {cwd = work, env = process.env} = {}) {
  const result = spawnSync(command, argv, {cwd, env, encoding: 'utf8', timeout: 600_000, killSignal: 'SIGKILL', maxBuffer: 1 << 28});
  if (result.status === 0) return result.stdout;
  throw new Error(
    `${[command, ...argv].join(' ')}: ${result.error?.message ?? `exit code ${result.status}`}\n${result.stdout}${result.stderr}`,
  );
}

function pack() {
  if (values.tarball) return resolve(values.tarball);
  if (!values.clone) {
    run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', work], {cwd: root});
  } else {
    run('git', ['clone', '--quiet', root, 'clone']);
    run('npm', ['pack', '--silent', '--pack-destination', work], {cwd: join(work, 'clone')});
  }
  const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return join(work, `orch-api-orch-${version}.tgz`);
}

/** Puts the package, and `packages` from the registry or files, into `folder/node_modules`, as `npm install` does. */
function install(folder, tarball, env, packages = []) {
  const modules = join(folder, 'node_modules');
  if (!values.linked) {
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', '--save-dev', tarball, ...packages], {
      cwd: folder,
      env,
    });
    return;
  }
  mkdirSync(join(modules, '@orch-api/orch'), {recursive: true});
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, '@orch-api/orch')]);
  const manifest = JSON.parse(readFileSync(join(modules, '@orch-api/orch/package.json'), 'utf8'));
  const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const file of packages.filter((each) => each.endsWith('.tgz'))) {
    const name = basename(file).replace(/-\d+\.\d+\.\d+\.tgz$/, '');
    mkdirSync(join(modules, name), {recursive: true});
    run('tar', ['xzf', resolve(folder, file), '--strip-components=1', '-C', join(modules, name)]);
  }
  const linked = packages.filter((each) => !each.endsWith('.tgz'));
  for (const name of [...Object.keys({...manifest.dependencies, ...own.dependencies, ...own.devDependencies}), ...linked]) {
    if (name === '@orch-api/orch' || existsSync(join(modules, name))) continue;
    mkdirSync(dirname(join(modules, name)), {recursive: true});
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'), {recursive: true});
  chmodSync(join(modules, '@orch-api/orch', manifest.bin.orch), 0o755);
  symlinkSync(`../@orch-api/orch/${manifest.bin.orch}`, join(modules, '.bin/orch'));
  const tsc = join(root, 'node_modules/.bin/tsc');
  if (!existsSync(join(modules, '.bin/tsc'))) symlinkSync(realpathSync(tsc), join(modules, '.bin/tsc'));
}

try {
  const tarball = pack();
  const listing = run('tar', ['tzvf', tarball]);
  console.log(`packed: ${(readFileSync(tarball).length / 1e6).toFixed(1)} MB, ${listing.trim().split('\n').length} files`);
  for (const version of values.nodes.split(',')) {
    const env = environmentWith(version, work, run);
    const base = join(work, `with-node-${version}`);
    mkdirSync(base);
    writeFileSync(join(base, 'package.json'), '{"name": "outside", "private": true, "type": "module"}\n');
    install(base, tarball, env);
    const faults = packageFaults(join(base, 'node_modules'), tarball);
    problems.push(...faults);
    const installed = `${(installedSize(join(base, 'node_modules')) / 1e6).toFixed(1)} MB installed`;
    for (const fault of faults) console.log(fault);
    console.log(`Node ${run('node', ['--version'], {env}).trim().slice(1)}: ${faults.length} faults in the package, ${installed}`);
    for (const {name, needsPackages = false, run: attempt} of trials) {
      if (values.only.length > 0 ? !values.only.includes(name) : values.linked && needsPackages) continue;
      const started = performance.now();
      const folder = join(base, name.replaceAll(' ', '-'));
      mkdirSync(folder);
      try {
        await attempt({
          folder,
          base,
          root,
          tarball,
          env,
          run: (command, argv, cwd = folder) => run(command, argv, {cwd, env}),
          install: (at, packages) => install(at, tarball, env, packages),
        });
        console.log(`ok   ${name}  ${((performance.now() - started) / 1000).toFixed(1)} s`);
      } catch (error) {
        problems.push(`${name} under Node ${version}: ${error.message}`);
        console.log(`FAIL ${name}`);
      }
    }
  }
} catch (error) {
  problems.push(error.message);
} finally {
  if (values.keep) console.log(`kept: ${work}`);
  else rmSync(work, {recursive: true, force: true});
}
for (const problem of problems) console.log(problem);
console.log(`${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
