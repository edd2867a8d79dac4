import {existsSync, mkdirSync, readFileSync, statSync} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {UsageError} from '../usage-error.js';
import {packageName} from './npm.js';
import type {PendingChange} from './pending-change.js';

/** Where a plugin is. */
export interface PluginSource {
  /** Absolute path of its folder or module. */
  readonly path: string;
  /** For the configuration file. */
  readonly from: string;
}

/**
 * Finds a plugin named on the command line. Packages and tarballs are installed beside the configuration file.
 *
 * @throws UsageError
 */
export async function sourceOf(given: string, cwd: string, pending: PendingChange): Promise<PluginSource> {
  const path = resolve(cwd, given);
  const kind = statSync(path, {throwIfNoEntry: false});
  if (kind?.isDirectory() || (kind?.isFile() && !/\.(tgz|tar\.gz|tar)$/.test(given))) {
    const place = basename(path) === 'plugin.json' ? dirname(path) : path;
    const to = relative(pending.folder, place);
    return {path: place, from: to === '' ? '.' : to.startsWith('..') ? to : `./${to}`};
  }
  if (/^\.{0,2}[\\/]|\.tgz$/.test(given) && !kind) throw new UsageError(`${path} does not exist`);
  mkdirSync(pending.folder, {recursive: true});
  const spec = kind ? path : given;
  const before = dependenciesOf(pending.folder);
  await pending.npm(['install', spec, '--save']);
  const after = dependenciesOf(pending.folder);
  // No dependency changes if it was installed already, from the same place: ask npm then.
  const changed = Object.keys(after).find((each) => after[each] !== before[each]);
  const name = changed ?? (await packageName(spec, pending.folder, pending.signal));
  return {path: join(pending.folder, 'node_modules', name), from: name};
}

/** A package that npm has installed beside the configuration file. */
export interface InstalledPackage {
  readonly name: string;
  /** Its range or source in package.json. */
  readonly spec: string;
}

/** The package that a plugin of the configuration is in, if it is a dependency of the package.json beside the file. */
export function installedPackage(from: string | undefined, folder: string): InstalledPackage | undefined {
  if (from === undefined) return undefined;
  const dependencies = dependenciesOf(folder);
  const name = Object.keys(dependencies).find((each) => join(folder, 'node_modules', each) === from);
  return name === undefined ? undefined : {name, spec: dependencies[name]!};
}

/** The dependencies in the package.json of a folder; none without the file. */
function dependenciesOf(folder: string): Readonly<Record<string, string>> {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return {};
  return (JSON.parse(readFileSync(manifest, 'utf8')) as {dependencies?: Record<string, string>}).dependencies ?? {};
}
