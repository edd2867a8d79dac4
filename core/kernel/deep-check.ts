import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Constructor, DeliveredClass} from './loading/import-entry.js';
import {KernelError, problem, type KernelProblem} from './kernel-error.js';
import {declaredClasses} from './manifests/contributed-classes.js';
import type {FoundPlugin} from './manifests/read-manifest.js';
import {configSchemaProblems} from './selection/plugin-settings.js';
import {migrationProblems} from './selection/settings-version.js';

/**
 * Checks of a plugin that start-up skips because they take time: the schema of the settings is checked, and the entry module is imported (if
 * `importCode`) and compared with the manifest.
 */
export async function deepCheck(plugin: FoundPlugin, importCode: boolean): Promise<KernelProblem[]> {
  const problems = await configSchemaProblems(plugin);
  const {entry} = plugin.manifest;
  // Missing files were reported with the manifest.
  const hasCode = plugin.definition !== undefined || (entry !== undefined && existsSync(join(plugin.folder, entry)));
  if (!importCode) return problems;
  const {importEntry} = await import('./loading/import-entry.js');
  try {
    if (hasCode && declaredClasses(plugin.manifest).length > 0) {
      const classes = await importEntry(plugin);
      // Those that functions make have no methods before they are made.
      if (plugin.definition === undefined) problems.push(...(await classProblems(plugin, classes)));
    }
    problems.push(...(await migrationProblems(plugin)));
  } catch (error) {
    if (!KernelError.is(error)) throw error;
    problems.push(...error.problems);
  }
  return problems;
}

/** The problems that a start would find in constructed classes, as far as they can be seen in the prototypes. */
async function classProblems({name, file}: FoundPlugin, classes: readonly DeliveredClass[]): Promise<KernelProblem[]> {
  const [{methodNames, missingMethod, misspelledMethod}, {unspecifiedParameter}] = await Promise.all([
    import('./construction/contract-methods.js'),
    import('./construction/constructor-failures.js'),
  ]);
  const problems: KernelProblem[] = [];
  for (const {kind, class: className, constructor, path} of classes) {
    const place = {plugin: name, file, path};
    const unspecified = unspecifiedParameter(constructor);
    if (unspecified !== undefined) {
      const detail = `parameter ${unspecified + 1} of its constructor has no @inject`;
      problems.push(problem('CONSTRUCTION_FAILED', {class: className, detail}, place));
    }
    // A constructor may also assign methods, which only its source shows.
    if (mayMakeMethods(constructor, methodNames(kind))) continue;
    const prototype = constructor.prototype as object;
    const slip = misspelledMethod(kind, prototype);
    const missing = missingMethod(kind, prototype);
    if (slip !== undefined) problems.push(problem('METHOD_MISSPELLED', {kind, class: className, ...slip}, place));
    else if (missing !== undefined) problems.push(problem('METHOD_MISSING', {kind, class: className, method: missing}, place));
  }
  return problems;
}

/** Whether instances may have contract methods that the prototype lacks: fields, or methods that the constructor assigns or returns. */
function mayMakeMethods(target: Constructor, methods: readonly string[]): boolean {
  const assigned = new RegExp(String.raw`\b(?:${methods.join('|')})\s*=(?!=)|\bconstructor\s*\([^{]*\{[^}]*\breturn\b|\bObject\.assign\b`);
  for (let level: unknown = target; typeof level === 'function' && level !== Function.prototype; level = Object.getPrototypeOf(level))
    if (assigned.test(Function.prototype.toString.call(level))) return true;
  return false;
}
