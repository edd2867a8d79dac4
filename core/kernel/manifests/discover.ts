import {existsSync, readdirSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {problem, type KernelProblem} from '../kernel-error.js';
import type {PluginDefinition} from '../../../sdk/plugin/define/define-plugin.js';
import {readIndex} from './manifest-index.js';
import type {PluginLocation, PluginSource} from './plugin-location.js';

const manifestName = 'plugin.json';

/** Entry modules of a folder without a manifest, in this order. */
const moduleNames = ['plugin.js', 'plugin.mjs', 'plugin.ts', 'plugin.mts'];

/** Where to look for plugins. */
export interface DiscoveryOptions {
  /** Folders that are searched recursively. A missing one counts as empty. */
  readonly roots: readonly string[];
  /** Plugins by reference: a folder, a `plugin.json`, a module, or an npm package; or plugins that the program defines itself. */
  readonly references: readonly (string | PluginDefinition)[];
  /** How messages call the option with the references. */
  readonly option: string;
  /** The same from the configuration, by plugin name. */
  readonly configured: ReadonlyMap<string, string>;
  /** Whether an index of a root, where a build has left one, is believed. */
  readonly useIndex: boolean;
  /** References are relative to it. */
  readonly cwd: string;
}

/** Finds each plugin once, without reading it. Those of roots come first, sorted by path. */
export function discover(options: DiscoveryOptions): {
  locations: PluginLocation[];
  problems: KernelProblem[];
  /** Names in the configuration whose plugins do not exist. */
  missing: readonly string[];
} {
  const found = new Map<unknown, PluginLocation>();
  const problems: KernelProblem[] = [];
  const missing: string[] = [];
  for (const root of options.roots) {
    const folder = resolve(options.cwd, root);
    const indexed = options.useIndex ? readIndex(folder) : undefined;
    for (const location of indexed ?? []) found.set(location.file, location);
    if (!indexed) for (const file of scan(folder)) add(file, 'root');
  }
  for (const reference of options.references) {
    if (typeof reference === 'string') locate(reference, 'option', `${options.option} ${reference}`);
    else found.set(reference, {folder: reference.folder ?? options.cwd, file: 'definePlugin', source: 'option', definition: reference});
  }
  for (const [name, reference] of options.configured) locate(reference, 'configuration', `plugins.${name}.from`, name);
  return {locations: [...found.values()], problems, missing};

  function add(file: string, source: PluginSource, more: Pick<PluginLocation, 'expectedName' | 'package'> = {}): void {
    const real = realpathSync(file);
    const known = found.get(real);
    const {expectedName, package: from} = {...known, ...more};
    // A later mention of the same file says more about one in a root: that it was asked for.
    const first = known && known.source !== 'root' ? known.source : source;
    found.set(real, {folder: dirname(real), file: real, source: first, ...(expectedName && {expectedName}), ...(from && {package: from})});
  }

  function locate(reference: string, source: PluginSource, path: string, expectedName?: string): void {
    const located = locateReference(reference, options.cwd);
    if ('file' in located)
      add(located.file, source, {...(expectedName && {expectedName}), ...(located.package && {package: located.package})});
    else {
      problems.push(problem('PLUGIN_NOT_FOUND', {reference, detail: located.detail}, {path}));
      if (expectedName !== undefined) missing.push(expectedName);
    }
  }
}

/** Manifests under a folder. Subfolders of a plugin's folder belong to the plugin and are not searched. */
function scan(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, {withFileTypes: true});
  if (entries.some((entry) => entry.name === manifestName && !entry.isDirectory())) return [join(folder, manifestName)];
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map((entry) => join(folder, entry.name))
    .filter((path) => statSync(path, {throwIfNoEntry: false})?.isDirectory() === true)
    .sort()
    .flatMap(scan);
}

/** A folder in which npm has installed a package. */
function packageOf(folder: string): {readonly package?: string} {
  const name = /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)$/.exec(folder)?.[1];
  return name === undefined ? {} : {package: name.replace('\\', '/')};
}

type Located = {readonly file: string; readonly package?: string} | {readonly detail: string};

function locateReference(reference: string, cwd: string): Located {
  const path = resolve(cwd, reference);
  const kind = statSync(path, {throwIfNoEntry: false});
  if (kind?.isFile()) {
    return basename(path) === manifestName || isModule(path)
      ? {file: path}
      : {detail: `a plugin is a folder, its ${manifestName}, or a module`};
  }
  if (kind?.isDirectory()) {
    const file = pluginIn(path);
    if (file !== undefined) return {file, ...packageOf(path)};
    if (isPath(reference)) return {detail: `there is no ${manifestName} in ${path}`};
  }
  if (isPath(reference)) return {detail: `${path} does not exist`};
  return locatePackage(reference, cwd);
}

/** The manifest of a folder, or the module that defines its plugin. */
function pluginIn(folder: string): string | undefined {
  return [manifestName, ...moduleNames].map((name) => join(folder, name)).find((file) => existsSync(file)) ?? mainOf(folder);
}

/** The module that the package.json of a folder names. */
function mainOf(folder: string): string | undefined {
  try {
    const {main} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {main?: unknown};
    const file = typeof main === 'string' ? join(folder, main) : '';
    return isModule(file) && existsSync(file) ? file : undefined;
  } catch {
    // A folder without a readable package.json is not a plugin.
    return undefined;
  }
}

/** Whether a file is code, in place of a manifest. */
export function isModule(file: string): boolean {
  return /(?<!\.d)\.[cm]?[jt]s$/.test(file);
}

function isPath(reference: string): boolean {
  return isAbsolute(reference) || /^\.\.?([\\/]|$)/.test(reference);
}

/** Looks for the package in every `node_modules` from the working directory upwards, as Node.js does. */
function locatePackage(name: string, cwd: string): Located {
  if (!/^(@[\w.~-]+\/)?[\w~-][\w.~-]*$/.test(name)) return {detail: `${resolve(cwd, name)} does not exist`};
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) {
      const file = pluginIn(candidate);
      return file === undefined ? {detail: `the package ${candidate} has no ${manifestName}`} : {file, package: name};
    }
    if (dirname(folder) === folder) return {detail: `there is neither such a folder nor such a package, seen from ${cwd}`};
  }
}
