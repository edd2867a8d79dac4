import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {contributionOf, type ContributionRecord} from '../../../sdk/plugin/decorators.js';
import {loadNow, prepareToLoad} from '../../../sdk/plugin/load-now.js';
import {errorDetail} from '../error-detail.js';
import {KernelError, problem, type KernelProblem} from '../kernel-error.js';
import {declaredClasses, type DeclaredClass} from '../manifests/contributed-classes.js';
import {lazyProblem} from '../manifests/lazy-plugin.js';
import type {JoinedEntry} from '../manifests/plugin-location.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {importModule, type EntryModule} from './import-module.js';
import {offerSdk} from './offer-sdk.js';

export type Constructor = new (...parameters: unknown[]) => object;

/** A class that a manifest declares and the entry module delivers. */
export interface DeliveredClass extends DeclaredClass {
  readonly constructor: Constructor;
  readonly record: ContributionRecord;
}

/**
 * Imports a plugin's entry module, unless its classes are given already, and compares its exports with the manifest.
 *
 * @param limitMillis time limit of the import; 10 seconds by default
 * @throws KernelError with all mismatches
 */
export async function importEntry(plugin: FoundPlugin, limitMillis?: number): Promise<DeliveredClass[]> {
  return compare(plugin, plugin.definition === undefined ? await importedEntry(plugin, limitMillis) : plugin.definition.classes);
}

/**
 * Imports the entry module of a plugin that has one.
 *
 * @throws KernelError (`IMPORT_FAILED`)
 */
export function importedEntry(plugin: FoundPlugin, limitMillis?: number): Promise<EntryModule> {
  if (plugin.joined !== undefined) return joinedEntry(plugin.joined);
  const file = entryFile(plugin);
  // Built-in plugins import the sdk by a relative path.
  const isOwn = plugin.source === 'root';
  if (!isOwn) offerSdk();
  return importModule(file, {isOwn, limitMillis}).catch(async (cause: unknown) => {
    const {importFailure} = await import('./import-failure.js');
    throw importFailure(cause, plugin.manifest.entry!, {plugin: plugin.name, file});
  });
}

const joinedModules = new Map<string, Promise<{readonly entries: Readonly<Record<string, EntryModule>>}>>();

async function joinedEntry({file, name}: JoinedEntry): Promise<EntryModule> {
  let module = joinedModules.get(file);
  if (module === undefined) joinedModules.set(file, (module = import(pathToFileURL(file).href)));
  return (await module).entries[name]!;
}

/** To be awaited before `requireEntry`. */
export function prepareToRequire(plugins: readonly FoundPlugin[]): Promise<void> {
  return prepareToLoad(plugins.map((plugin) => pathToFileURL(entryFile(plugin))));
}

/**
 * Like `importEntry`, but synchronous, for a built-in plugin. Node.js refuses it for modules with top-level await.
 *
 * @throws KernelError with everything that does not fit
 */
export function requireEntry(plugin: FoundPlugin): DeliveredClass[] {
  const file = entryFile(plugin);
  let module: EntryModule;
  try {
    module = loadNow(pathToFileURL(file)) as EntryModule;
  } catch (cause) {
    const {name, manifest} = plugin;
    throw new KernelError([problem('IMPORT_FAILED', {entry: manifest.entry!, detail: errorDetail(cause)}, {plugin: name, file, cause})]);
  }
  return compare(plugin, module);
}

function entryFile({folder, manifest}: FoundPlugin): string {
  return join(folder, manifest.entry!);
}

function compare(plugin: FoundPlugin, module: EntryModule): DeliveredClass[] {
  const entry = plugin.manifest.entry ?? plugin.file;
  const delivered: DeliveredClass[] = [];
  const problems: KernelProblem[] = [];
  const declared = declaredClasses(plugin.manifest);
  for (const wanted of declared) {
    const {kind} = wanted;
    const place = {plugin: plugin.name, file: plugin.file, path: wanted.path};
    const exported = Object.hasOwn(module, wanted.class) ? module[wanted.class] : undefined;
    const record = contributionOf(exported);
    if (exported === undefined) problems.push(problem('EXPORT_MISSING', {kind, class: wanted.class, entry}, place));
    else if (record === undefined) problems.push(problem('DECORATOR_MISSING', {kind, class: wanted.class}, place));
    else if (record.kind !== kind) problems.push(problem('DECORATOR_MISMATCH', {kind, class: wanted.class, actual: record.kind}, place));
    else {
      delivered.push({...wanted, constructor: exported as Constructor, record});
      const early = lazyProblem(plugin, wanted, exported as Constructor);
      if (early !== undefined) problems.push(early);
    }
  }
  // An undeclared policy would silently not apply.
  const names = new Set(declared.map(({class: name}) => name));
  const classes = new Set(declared.map(({class: name}) => module[name]));
  for (const [name, exported] of Object.entries(module)) {
    const record = contributionOf(exported);
    if (record === undefined || names.has(name) || classes.has(exported)) continue;
    problems.push(
      problem(
        'CONTRIBUTION_UNDECLARED',
        {entry, kind: record.kind, class: name},
        {plugin: plugin.name, file: plugin.file, path: 'contributes'},
      ),
    );
  }
  KernelError.throwIfAny(problems);
  return delivered;
}
