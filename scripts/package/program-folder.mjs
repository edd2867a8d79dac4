// A folder with the program and nothing else: the bundle, minified, and the parts of the few packages that stay outside of it. It runs with any Node.js of
// this platform. For container images and the single file.
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {spawnSync} from 'node:child_process';
import {bundle} from '../bundle.mjs';

/** What of packages is needed to run. */
const packages = [
  // What validators that ajv has made need to run.
  ['ajv', /^dist\/runtime\/(?:equal|ucs2length)\.js$/],
  ['fast-deep-equal', /^index\.js$/],
  ['lmdb', /^dist\/index\.cjs$/],
  ['msgpackr', /^dist\/node\.cjs$/],
  ['ordered-binary', /^dist\/index\.cjs$/],
  ['weak-lru-cache', /^dist\/index\.cjs$/],
  ['@harperfast/extended-iterable', /^dist\/index\.cjs$/],
  ['node-gyp-build-optional-packages', /^(?:index|node-gyp-build)\.js$/],
  ['detect-libc', /^lib\/[\w-]+\.js$/],
  [`@lmdb/lmdb-${process.platform}-${process.arch}`, /^(?:index\.js|node\.napi\.glibc\.node)$/],
];

/** What code requires by name when it first needs it (`createRequire`): each becomes one file. */
const requiredByName = ['js-yaml', 're2js', 'protobufjs/minimal.js', 'semver/functions/satisfies.js'];

/** @param target an empty or missing folder */
export async function writeProgram(root, out, target) {
  const {name, version, license} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(target, {recursive: true, force: true});
  await bundle(root, out, {target, minify: true});
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({name, version, license, type: 'module'})}\n`);
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  for (const specifier of requiredByName) await writeLibrary(root, target, specifier);
  const {minifySync} = await import('rolldown/utils');
  for (const [name, wanted] of packages)
    copyPackage(join(root, 'node_modules', name), join(target, 'node_modules', name), wanted, minifySync);
}

async function writeLibrary(root, target, specifier) {
  const {rolldown} = await import('rolldown');
  const [name, ...path] = specifier.split('/');
  const folder = join(target, 'node_modules', name);
  // Modules that are imported elsewhere too stay modules.
  const isModule = path.length === 0;
  const input = isModule ? specifier : createRequire(join(root, 'package.json')).resolve(specifier);
  const build = await rolldown({input, cwd: root, platform: 'node', logLevel: 'silent'});
  await build.write({
    file: join(folder, ...(path.length > 0 ? path : ['index.js'])),
    format: isModule ? 'esm' : 'cjs',
    exports: 'auto',
    minify: true,
  });
  await build.close();
  const {version, license} = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({name, version, license, type: isModule ? 'module' : 'commonjs'})}\n`);
}

function copyPackage(from, to, wanted, minifySync) {
  if (!existsSync(from)) throw new Error(`${from} is not installed`);
  for (const file of filesIn(from)) {
    const isLicence = /^licen[cs]e/i.test(file);
    if (file !== 'package.json' && !isLicence && !wanted.test(file)) continue;
    mkdirSync(dirname(join(to, file)), {recursive: true});
    if (/\.c?js$/.test(file)) writeFileSync(join(to, file), minifySync(file, readFileSync(join(from, file), 'utf8')).code);
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
