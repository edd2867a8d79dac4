// What is wrong with an installed package, without running it. Called by scripts/try-package.mjs.
import {existsSync, globSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {isShownSource} from './shown-sources.mjs';

/** Most bytes of the packed package. */
const mostPacked = 6e6;
/** Most bytes of everything that an installation brings, beside what restify brings by itself. */
const mostInstalled = 65e6;

/**
 * @param modules folder with the installed packages, or with links to where they are
 * @returns sentences, none if all is well
 */
export function packageFaults(modules, tarball) {
  const faults = [];
  const folder = join(modules, '@orch-api/orch');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const packed = statSync(tarball).size;
  if (packed > mostPacked) faults.push(`the package has ${packed} bytes, more than ${mostPacked}`);
  const installed = installedSize(modules) - bytesOf(packagesOf(join(modules, 'restify')));
  if (installed > mostInstalled) faults.push(`an installation brings ${installed} bytes beside restify, more than ${mostInstalled}`);
  for (const name of Object.keys({...manifest.dependencies, ...manifest.optionalDependencies})) {
    if (/^node(?:-|$)/.test(name)) faults.push(`Node comes as the dependency ${name}`);
  }
  for (const name of ['LICENSE', 'README.md', 'plugin.schema.json', 'schema-file.schema.json']) {
    if (!existsSync(join(folder, name))) faults.push(`${name} is missing`);
  }
  for (const file of globSync('**', {cwd: folder, withFileTypes: false})) {
    if (/(?:^|\/)(?:test|scripts|examples)\/|\.test\.|\.tsbuildinfo$/.test(file) && !/^docs\/|\.template$/.test(file))
      faults.push(`${file} is of no use to a user`);
  }
  faults.push(...exportFaults(folder, manifest.exports), ...sourceMapFaults(folder));
  return faults;
}

/** Bytes of the package and of all that it brings, wherever that lies. */
export function installedSize(modules) {
  return bytesOf(packagesOf(join(modules, '@orch-api/orch')));
}

/** Folders of a package and of what it depends on, directly or not. */
function packagesOf(folder, found = new Set()) {
  const place = realpathSync(folder);
  if (found.has(place)) return found;
  found.add(place);
  const {dependencies, optionalDependencies} = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  for (const name of Object.keys({...dependencies, ...optionalDependencies})) {
    const other = nodeModulesAbove(place)
      .map((each) => join(each, name))
      .find((each) => existsSync(join(each, 'package.json')));
    // What is optional may be for another system.
    if (other !== undefined) packagesOf(other, found);
  }
  return found;
}

/** Where Node.js looks for packages that a package asks for. */
function nodeModulesAbove(folder) {
  const parent = dirname(folder);
  return [join(folder, 'node_modules'), ...(parent === folder ? [] : nodeModulesAbove(parent))];
}

function bytesOf(folders) {
  return [...folders].reduce((bytes, folder) => bytes + folderSize(folder), 0);
}

/** Each export has its module and its types. */
function exportFaults(folder, exports) {
  const faults = [];
  for (const [name, target] of Object.entries(exports)) {
    const patterns = typeof target === 'string' ? [target] : [target.types, target.default];
    if (typeof target === 'object' && target.types === undefined) faults.push(`the export ${name} has no types`);
    for (const pattern of patterns) {
      if (globSync(pattern.replace('*', '**/*'), {cwd: folder}).length === 0)
        faults.push(`the export ${name} names ${pattern}, which is not there`);
    }
  }
  return faults;
}

/** A file that only hands on what others export. */
const handsOn = /^(?:(?:import|export)\b.*;\s*|var \w+ = [\w.]+;\s*)*$/;
/** Code that the bundler itself has made. */
const ofBundler = /(?:^|\/)(?:chunks\/rolldown-runtime|plugins\/(?:cluster-)?entries)\.js$/;

/** All code of ours has a source map, and what plugin authors step into has its sources there: these are not in the package. */
function sourceMapFaults(folder) {
  const faults = [];
  for (const file of globSync('dist/**/*.js', {cwd: folder})) {
    if (ofBundler.test(file) || existsSync(join(folder, `${file}.map`))) continue;
    if (!handsOn.test(readFileSync(join(folder, file), 'utf8'))) faults.push(`${file} has no source map`);
  }
  for (const file of globSync('dist/**/*.js.map', {cwd: folder})) {
    const {sources, sourcesContent = []} = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const complete = sources.every(
      (source, at) => !isShownSource(source) || sourcesContent[at] != null || existsSync(join(folder, dirname(file), source)),
    );
    if (!complete) faults.push(`${file} lacks its source`);
  }
  return faults;
}

/** Bytes of the files of a package; those of packages inside it are not its own. */
function folderSize(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += lstatSync(path).size;
    else if (entry.isDirectory() && entry.name !== 'node_modules') bytes += folderSize(path);
  }
  return bytes;
}
