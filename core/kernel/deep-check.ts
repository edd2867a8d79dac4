import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {KernelError, type KernelProblem} from './kernel-error.js';
import {declaredClasses} from './manifests/contributed-classes.js';
import type {FoundPlugin} from './manifests/read-manifest.js';
import {configSchemaProblems} from './selection/plugin-settings.js';

/**
 * Checks of a plugin that start-up skips because they take time: the schema of the settings is checked, and the entry module is imported (if
 * `importCode`) and compared with the manifest.
 */
export async function deepCheck(plugin: FoundPlugin, importCode: boolean): Promise<KernelProblem[]> {
  const problems = await configSchemaProblems(plugin);
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
