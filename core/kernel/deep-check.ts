import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {errorDetail} from './error-detail.js';
import {KernelError, problem, type KernelProblem} from './kernel-error.js';
import {declaredClasses} from './manifests/contributed-classes.js';
import type {FoundPlugin} from './manifests/read-manifest.js';
import {configSchemaProblems} from './selection/plugin-settings.js';

/**
 * Checks of a plugin that start-up skips because they take time: schema files are read and their references followed,
 * the schema of the settings is checked, and the entry module is imported (if `importCode`) and compared with the manifest.
 */
export async function deepCheck(plugin: FoundPlugin, importCode: boolean): Promise<KernelProblem[]> {
  const problems = [...schemaProblems(plugin), ...(await configSchemaProblems(plugin))];
  const {entry} = plugin.manifest;
  // Missing files were reported with the manifest.
  const hasCode = plugin.definition !== undefined || (entry !== undefined && existsSync(join(plugin.folder, entry)));
  if (!importCode || !hasCode || declaredClasses(plugin.manifest).length === 0) return problems;
  const {importEntry} = await import('./construction/import-entry.js');
  try {
    await importEntry(plugin);
  } catch (error) {
    if (!KernelError.is(error)) throw error;
    problems.push(...error.problems);
  }
  return problems;
}

function schemaProblems(plugin: FoundPlugin): KernelProblem[] {
  const problems: KernelProblem[] = [];
  for (const [index, {versions}] of (plugin.manifest.contributes?.resources ?? []).entries()) {
    for (const [position, {schema: reference}] of versions.entries()) {
      if (typeof reference !== 'string') continue;
      const path = `contributes.resources[${index}].versions[${position}].schema`;
      const detail = referenceFault(plugin.folder, reference);
      if (detail !== undefined)
        problems.push(problem('SCHEMA_UNRESOLVED', {reference, detail}, {plugin: plugin.name, file: plugin.file, path}));
    }
  }
  return problems;
}

/** Why `FILE#/pointer` does not resolve to a schema; undefined if it does, or if the file is missing, which was reported with the manifest. */
function referenceFault(folder: string, reference: string): string | undefined {
  const [file, pointer = ''] = reference.split('#') as [string, string?];
  if (!existsSync(join(folder, file))) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } catch (error) {
    return errorDetail(error);
  }
  for (const segment of pointer.split('/').slice(1)) {
    const member = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return `there is no member ${member}`;
    value = (value as Record<string, unknown>)[member];
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'what it names is no object';
}
