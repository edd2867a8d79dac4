// Whether what has changed since the last release makes the next one major, minor or patch: by the reports in docs/api of everything that can be
// imported, of what group versions serve, and of flags, commands, gates and metrics.
//
//   node scripts/release/change-kind.mjs [--root DIR] [--since REF]
import '../require-node.mjs';
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {lostFrom} from '../published/compare-surfaces.mjs';
import {compareReports} from './compare-reports.mjs';
import {firstBaseline} from './settings.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = 'docs/api';
const reports = ['sdk.txt', 'server.txt', 'families.txt'];

/**
 * Answers `{kind, since, breaking, added}`; `since` is undefined, and `kind` too, where there is nothing to compare with: no git, or a clone without
 * history.
 *
 * @param since a tag or commit; the latest tag of a version by default
 */
export function changeKind(root, since = lastRelease(root)) {
  if (since === undefined) return {kind: undefined, since, breaking: [], added: []};
  const breaking = [];
  const added = [];
  const take = (result) => {
    breaking.push(...result.breaking);
    added.push(...result.added);
  };
  const pairs = reports.map((name) => [fileAt(root, since, `${folder}/${name}`), read(root, name)]);
  // A report that is new says nothing about what there was before.
  for (const [before, after] of pairs) if (before !== undefined && after !== undefined) take(compareReports(before, after));
  take(comparePublished(root, since));
  take(compareLines(fileAt(root, since, `${folder}/command-line.txt`), read(root, 'command-line.txt')));
  return {kind: breaking.length > 0 ? 'major' : added.length > 0 ? 'minor' : 'patch', since, breaking, added};
}

/** The kind of version that a change needs: before 1.0.0 a minor one may break what was. */
export function neededVersion(kind, version) {
  return version.startsWith('0.') && kind === 'major' ? 'minor' : kind;
}

function comparePublished(root, since) {
  const names = namesAt(root, since).filter((name) => name.endsWith('.json'));
  const before = surfaceOf(names.map((name) => fileAt(root, since, `${folder}/${name}`)));
  const present = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).filter((name) => name.endsWith('.json')) : [];
  const after = surfaceOf(present.map((name) => read(root, name)));
  const breaking = lostFrom(before, after, promiseRelease(root));
  const added = Object.keys(after.groupVersions)
    .filter((id) => JSON.stringify(after.groupVersions[id]) !== JSON.stringify(before.groupVersions[id]))
    .map((id) => `${id} is ${before.groupVersions[id] ? 'another' : 'new'}`);
  return {breaking, added: breaking.length > 0 ? [] : added};
}

function surfaceOf(texts) {
  const surface = {groupVersions: {}, keys: {}};
  for (const text of texts) {
    const {groupVersion, ...content} = JSON.parse(text);
    if (groupVersion === undefined) surface.keys = content.keys;
    else surface.groupVersions[groupVersion] = content;
  }
  return surface;
}

function compareLines(before = '', after = '') {
  const [old, now] = [before, after].map((text) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
  return {
    breaking: old.filter((line) => !now.includes(line)).map((line) => `${line} is gone`),
    added: now.filter((line) => !old.includes(line)).map((line) => `${line} is new`),
  };
}

function promiseRelease(root) {
  const file = join(root, 'core/api/lifetimes/releases.ts');
  return existsSync(file) ? /^export const promiseRelease = '(\d+\.\d+)';$/m.exec(readFileSync(file, 'utf8'))[1] : '0.0';
}

/** The latest tag of a version before this commit, or else the first baseline; undefined where git knows neither. */
export function lastRelease(root) {
  const tag = git(root, 'describe', '--tags', '--match', 'v[0-9]*', '--abbrev=0')?.trim();
  if (tag) return tag;
  return git(root, 'cat-file', '-t', firstBaseline) === 'commit\n' ? firstBaseline : undefined;
}

function fileAt(root, ref, path) {
  return git(root, 'show', `${ref}:${path}`);
}

function namesAt(root, ref) {
  return git(root, 'ls-tree', '--name-only', `${ref}:${folder}`)?.trim().split('\n') ?? [];
}

function read(root, name) {
  const file = join(root, folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function git(root, ...argv) {
  const {status, stdout} = spawnSync('git', argv, {cwd: root, encoding: 'utf8', maxBuffer: 1 << 26});
  return status === 0 ? stdout : undefined;
}

/** A step of `npm run check`: it refuses nothing, and says what a branch changes, with what is not committed yet, and what the next version has to be. */
export function checkChangeKind(root) {
  const whole = changeKind(root);
  if (whole.kind === undefined) return {problems: [], note: 'no release to compare with'};
  const {kind, breaking, added} = changeKind(root, branchPoint(root) ?? whole.since);
  const first = breaking[0] ?? added[0];
  const others = breaking.length + added.length - 1;
  const what = first ? ` (${first}${others > 0 ? `, and ${others} more` : ''})` : '';
  return {problems: [], note: `this branch ${kind}${what}, all since ${whole.since} ${whole.kind}`};
}

/** Where a branch has left the main one. */
function branchPoint(root) {
  return ['origin/main', 'main'].map((name) => git(root, 'merge-base', 'HEAD', name)?.trim()).find(Boolean);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {root: {type: 'string', default: home}, since: {type: 'string'}}});
  const {kind, since, breaking, added} = changeKind(resolve(values.root), values.since);
  for (const line of breaking) console.log(`breaks: ${line}`);
  for (const line of added) console.log(`adds: ${line}`);
  console.log(kind === undefined ? 'there is no release to compare with' : `${kind} since ${since}`);
}
