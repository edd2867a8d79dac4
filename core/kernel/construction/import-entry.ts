import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {contributionOf, type ContributionRecord} from '../../../sdk/plugin/decorators.js';
import {errorDetail} from '../error-detail.js';
import {KernelError, problem, type KernelProblem} from '../kernel-error.js';
import {promisedClasses, type PromisedClass} from '../manifests/contributed-classes.js';
import {lazyProblem} from '../manifests/lazy-plugin.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {offerSdk} from './offer-sdk.js';

export type Constructor = new (...parameters: unknown[]) => object;

/** A class that a manifest promises and the entry module delivers. */
export interface DeliveredClass extends PromisedClass {
  readonly constructor: Constructor;
  readonly record: ContributionRecord;
}

type EntryModule = Readonly<Record<string, unknown>>;

/**
 * Imports a plugin's entry module and compares what it exports with what the manifest promises.
 *
 * @throws KernelError with everything that does not fit
 */
export async function importEntry(plugin: FoundPlugin): Promise<DeliveredClass[]> {
  const file = entryFile(plugin);
  // Built-in plugins import the sdk by a relative path.
  if (plugin.source !== 'root') offerSdk();
  const module = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw importFailure(plugin, file, cause);
  });
  return compare(plugin, module as EntryModule);
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
    module = createRequire(file)(file) as EntryModule;
  } catch (cause) {
    throw importFailure(plugin, file, cause);
  }
  return compare(plugin, module);
}

function entryFile({folder, manifest}: FoundPlugin): string {
  return join(folder, manifest.entry!);
}

function importFailure({name, manifest}: FoundPlugin, file: string, cause: unknown): KernelError {
  return new KernelError([problem('IMPORT_FAILED', {entry: manifest.entry!, detail: errorDetail(cause)}, {plugin: name, file, cause})]);
}

function compare(plugin: FoundPlugin, module: EntryModule): DeliveredClass[] {
  const entry = plugin.manifest.entry!;
  const delivered: DeliveredClass[] = [];
  const problems: KernelProblem[] = [];
  const promised = promisedClasses(plugin.manifest);
  for (const promise of promised) {
    const {kind} = promise;
    const place = {plugin: plugin.name, file: plugin.file, path: promise.path};
    const exported = Object.hasOwn(module, promise.class) ? module[promise.class] : undefined;
    const record = contributionOf(exported);
    if (exported === undefined) problems.push(problem('EXPORT_MISSING', {kind, class: promise.class, entry}, place));
    else if (record === undefined) problems.push(problem('DECORATOR_MISSING', {kind, class: promise.class}, place));
    else if (record.kind !== kind) problems.push(problem('DECORATOR_MISMATCH', {kind, class: promise.class, actual: record.kind}, place));
    else {
      delivered.push({...promise, constructor: exported as Constructor, record});
      const early = lazyProblem(plugin, promise, exported as Constructor);
      if (early !== undefined) problems.push(early);
    }
  }
  // An undeclared policy would silently not apply.
  const names = new Set(promised.map((promise) => promise.class));
  const classes = new Set(promised.map((promise) => module[promise.class]));
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
