// Makes a release: version, changelog, package, bill of materials, executable and image, from a clone of the last commit, and tries the package.
//
//   npm run release -- major|minor|patch [--dry-run] [--out DIR] [--linked]
//
// All files go to build/release, or --out. A dry run changes nothing else. Otherwise version and changelog are committed and the commit is tagged; what
// is left to do is printed: nothing is pushed or published here. --linked tries the package with the packages of this repository, without a registry.
import './require-node.mjs';
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {changeKind, neededVersion} from './release/change-kind.mjs';
import {releaseChanges} from './release/changelog.mjs';
import {isPrivate, publishedFields, repository} from './release/settings.mjs';
import {kinds, nextVersion, writeVersion} from './release/versions.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': {type: 'boolean', default: false},
    out: {type: 'string', default: 'build/release'},
    linked: {type: 'boolean', default: false},
  },
});
const [kind] = positionals;
const dryRun = values['dry-run'];
const out = resolve(root, values.out);

/** Runs a program to its end and answers its output. @throws Error with what it said if it fails */
function run(command, argv, cwd = root) {
  const {status, stdout, stderr, error} = spawnSync(command, argv, {cwd, encoding: 'utf8', maxBuffer: 1 << 28});
  if (status === 0) return stdout;
  throw new Error(`${[command, ...argv].join(' ')}: ${error?.message ?? `exit code ${status}`}\n${stdout}${stderr}`);
}

/** What keeps a release from being made, each as a sentence. */
function obstacles(version) {
  const found = [];
  const change = changeKind(root);
  const needed = change.kind && neededVersion(change.kind, version);
  if (needed && kinds.indexOf(needed) > kinds.indexOf(kind))
    found.push(`the changes since ${change.since} need a ${needed} version:\n  ${[...change.breaking, ...change.added].join('\n  ')}`);
  const dirty = run('git', ['status', '--porcelain']).trim();
  if (dirty !== '' && !dryRun) found.push(`there are changes that are not committed:\n${dirty}`);
  else if (dirty !== '') console.log('changes that are not committed are not part of this');
  if (!dryRun && (isPrivate || repository === ''))
    found.push('scripts/release/settings.mjs says that the package is private, or does not name the repository');
  return found;
}

function step(title, work) {
  const started = performance.now();
  const said = work();
  console.log(`${title.padEnd(12)} ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${said}`);
}

const megabytes = (file) => `${(readFileSync(file).length / 1e6).toFixed(1)} MB`;

function release(before, version) {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'orch-release-')));
  try {
    const clone = join(work, 'clone');
    const script = (name, ...argv) =>
      run(process.execPath, [join(clone, 'scripts', name), ...argv], clone)
        .trim()
        .split('\n')
        .at(-1);
    const files = [];
    step('version', () => {
      run('git', ['clone', '--quiet', root, clone]);
      symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
      files.push(...writeVersion(clone, version, publishedFields()));
      return `${before} → ${version}, ${files.length} files`;
    });
    step('changelog', () => {
      const path = join(clone, 'CHANGELOG.md');
      writeFileSync(path, releaseChanges(readFileSync(path, 'utf8'), version, new Date().toISOString().slice(0, 10)));
      files.push('CHANGELOG.md');
      return `[${version}] stands above what was released before`;
    });
    step('build', () => script('build.mjs'));
    rmSync(out, {recursive: true, force: true});
    mkdirSync(out, {recursive: true});
    const tarball = join(out, `orch-api-orch-${version}.tgz`);
    step('package', () => {
      run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out], clone);
      return `${relative(root, tarball)}, ${megabytes(tarball)}`;
    });
    step('materials', () => {
      script('sbom.mjs', '--out', out);
      return 'sbom.cdx.json, sbom.spdx.json';
    });
    step('single file', () => script('single-file/single-file.mjs', join(out, 'orch')));
    step('image', () => script('image/root-filesystem.mjs', join(out, 'image')));
    step('trial', () => {
      const argv = ['--tarball', tarball, ...(values.linked ? ['--linked'] : []), '--only', 'command', '--only', 'library'];
      return script('try-package.mjs', ...argv);
    });
    step('checksums', () => {
      const names = [`orch-api-orch-${version}.tgz`, 'orch', 'sbom.cdx.json', 'sbom.spdx.json'];
      const line = (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}  ${name}\n`;
      writeFileSync(join(out, 'SHA256SUMS'), names.map(line).join(''));
      return `${names.length} files`;
    });
    if (dryRun) {
      console.log(`\nThis was a dry run: ${relative(root, out)} is all that there is of it.`);
      return;
    }
    for (const file of files) copyFileSync(join(clone, file), join(root, file));
    run('git', ['commit', '--quiet', '--message', `Release ${version}`, '--', ...files]);
    run('git', ['tag', '--annotate', `v${version}`, '--message', `Release ${version}`]);
    console.log(`\nCommitted and tagged. Left to do:\n  git push --follow-tags\n  npm publish --access public ${relative(root, tarball)}`);
  } finally {
    rmSync(work, {recursive: true, force: true});
  }
}

const {version: before} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (!kinds.includes(kind)) {
  console.error('usage: npm run release -- major|minor|patch [--dry-run] [--out DIR] [--linked]');
  process.exitCode = 1;
} else {
  const found = obstacles(before);
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exitCode = 1;
  else release(before, nextVersion(before, kind));
}
