// A folder with the program and nothing else: the bundle, minified, and the parts of the few packages that stay outside of it. It runs with any Node.js of
// this platform. For container images and the single file.
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {spawnSync} from 'node:child_process';
import {bundle} from '../bundle.mjs';

/** What of packages is needed to run. */
const packages = [
  // What validators that ajv has made need to run.
  ['ajv', /^dist\/runtime\/(?:equal|ucs2length)\.js$/],
  ['fast-deep-equal', /^index\.js$/],
  ['lmdb', /^(?!rollup)[\w-]+\.js$|^util\/[\w-]+\.js$/],
  ['msgpackr', /^(?:node-index|pack|unpack|struct|stream|iterators|index)\.js$/],
  ['ordered-binary', /^index\.js$/],
  ['weak-lru-cache', /^[\w-]+\.js$/],
  ['@harperfast/extended-iterable', /^(?:index|dist\/.*)\.js$/],
  ['node-gyp-build-optional-packages', /^(?:index|node-gyp-build)\.js$/],
  ['detect-libc', /^lib\/[\w-]+\.js$/],
  [`@lmdb/lmdb-${process.platform}-${process.arch}`, /^(?:index\.js|node\.napi\.glibc\.node)$/],
];

/** @param target an empty or missing folder */
export async function writeProgram(root, out, target) {
  const {name, version, license} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(target, {recursive: true, force: true});
  await bundle(root, out, {target, minify: true});
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({name, version, license, type: 'module'})}\n`);
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const {minifySync} = await import('rolldown/utils');
  for (const [name, wanted] of packages)
    copyPackage(join(root, 'node_modules', name), join(target, 'node_modules', name), wanted, minifySync);
}

function copyPackage(from, to, wanted, minifySync) {
  if (!existsSync(from)) throw new Error(`${from} is not installed`);
  for (const file of filesIn(from)) {
    const isLicence = /^licen[cs]e/i.test(file);
    if (file !== 'package.json' && !isLicence && !wanted.test(file)) continue;
    mkdirSync(dirname(join(to, file)), {recursive: true});
    if (file.endsWith('.js')) writeFileSync(join(to, file), minifySync(file, readFileSync(join(from, file), 'utf8')).code);
    else copyFileSync(join(from, file), join(to, file));
    if (file.endsWith('.node')) strip(join(to, file));
  }
}

function filesIn(folder, prefix = '') {
  return readdirSync(join(folder, prefix), {withFileTypes: true}).flatMap((entry) =>
    entry.isDirectory() ? filesIn(folder, `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
  );
}

/** Takes the symbols for debuggers out of a program or library, where the machine has binutils. @returns whether it has */
export function strip(file) {
  return spawnSync('strip', [file]).status === 0;
}
