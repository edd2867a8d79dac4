// Tells whether a build has anything to do, from what the file system says of the files: reading them takes seconds.
// Called by scripts/build.mjs and scripts/build-rigs.mjs.
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const stampName = '.build-stamp';

/** Folders with what is compiled and copied. */
export const sources = ['sdk', 'core', 'plugins', 'testing', 'examples', 'test'];

/**
 * What a build depends on: sources, settings, the scripts that build, the version of Node, and the packages as npm has installed them.
 * Installing again writes the same text about these, so that is what counts.
 */
export function inputsOf(root) {
  const files = stateOf(
    root,
    [...sources, 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.to-run.json', 'plugin.schema.json'],
    /^node_modules$|\.md$/,
  );
  let installed = '';
  try {
    installed = readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8');
  } catch {
    // Packages that npm did not install: the compiler says what it misses.
  }
  return createHash('sha256').update(`${files}\n${process.version}\n${installed}`).digest('hex');
}

/** What a build has made. */
export function outputsOf(out) {
  return stateOf(out, [...sources, 'bundle'], /^$/);
}

/**
 * Changes whenever one of the files changes, comes or goes: by size, times and inode. The time of the last change of an inode cannot be
 * set back, so a file that is put back with an older time counts as changed too.
 *
 * @param skipped names of files and folders that make no difference
 */
export function stateOf(root, paths, skipped) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stats = statSync(join(root, path), {throwIfNoEntry: false});
    if (!stats) return void hash.update(`${path} missing\n`);
    if (!stats.isDirectory()) return void hash.update(`${path} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}\n`);
    for (const name of readdirSync(join(root, path)).sort()) if (!skipped.test(name)) add(`${path}/${name}`);
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

/** What the last complete build left; undefined when there was none. */
export function readStamp(out) {
  try {
    return JSON.parse(readFileSync(join(out, stampName), 'utf8'));
  } catch {
    return undefined;
  }
}

export function writeStamp(out, stamp) {
  writeFileSync(join(out, stampName), `${JSON.stringify(stamp)}\n`);
}

export function removeStamp(out) {
  rmSync(join(out, stampName), {force: true});
}
