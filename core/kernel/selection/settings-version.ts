import type {MigrateConfig} from '../../../sdk/plugin/define/define-plugin.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {isJsonObject} from '../../../sdk/values/is-json-object.js';
import {errorDetail} from '../error-detail.js';
import {KernelError, problem, type KernelProblem} from '../kernel-error.js';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import type {PluginConfiguration} from './plugins-configuration.js';

const migrationMillis = 10_000;

/** The version of settings that a manifest describes. */
export function settingsVersion({manifest}: Pick<FoundPlugin, 'manifest'>): number {
  return manifest.configVersion ?? 1;
}

/** Whether a configuration has settings for another version than the plugin takes. Where it sets nothing, every version is right. */
export function settingsVersionFault(
  plugin: FoundPlugin,
  {config = {}, configVersion: given = 1}: PluginConfiguration,
  hint: (plugin: string) => string = () => 'migrate them with its migrateConfig',
): KernelProblem | undefined {
  const version = settingsVersion(plugin);
  if (given === version || Object.keys(config).length === 0) return undefined;
  const advice = given < version ? hint(plugin.name) : 'go back to the plugin that they were written for, or write them anew';
  const place = {plugin: plugin.name, path: `plugins.${plugin.name}.configVersion`};
  return problem('CONFIG_VERSION', {given: String(given), version: String(version), hint: advice}, place);
}

/**
 * The function of a plugin that migrates settings; undefined if it has none. Imports its code.
 *
 * @throws KernelError if the code cannot be imported
 */
async function migrationOf(plugin: FoundPlugin): Promise<MigrateConfig | undefined> {
  const {definition, manifest} = plugin;
  if (definition !== undefined) return definition.migrateConfig;
  if (manifest.entry === undefined) return undefined;
  const {importedEntry} = await import('../loading/import-entry.js');
  const {migrateConfig} = await importedEntry(plugin);
  return typeof migrateConfig === 'function' ? (migrateConfig as MigrateConfig) : undefined;
}

/** Migrations that a plugin with settings above version 1 lacks. Imports its code. */
export async function migrationProblems(plugin: FoundPlugin): Promise<KernelProblem[]> {
  if (settingsVersion(plugin) === 1 || (await migrationOf(plugin)) !== undefined) return [];
  return [missing(plugin)];
}

/**
 * Migrates older settings to the plugin's version, by its own function.
 *
 * @throws KernelError (`CONFIG_MIGRATION_MISSING`, `CONFIG_MIGRATION_FAILED`, and those of importing)
 */
export async function migratedSettings(
  plugin: FoundPlugin,
  settings: Readonly<Record<string, unknown>>,
  given: number,
): Promise<Record<string, unknown>> {
  const migrate = await migrationOf(plugin);
  if (migrate === undefined) throw new KernelError([missing(plugin)]);
  const failed = (detail: string, cause?: unknown) => {
    const parameters = {given: String(given), version: String(settingsVersion(plugin)), detail};
    return new KernelError([problem('CONFIG_MIGRATION_FAILED', parameters, {plugin: plugin.name, file: plugin.file, cause})]);
  };
  let result: unknown;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${migrationMillis / 1000} s`)), migrationMillis);
  });
  try {
    result = await Promise.race([migrate(structuredClone(settings) as Record<string, unknown>, given), late]);
  } catch (cause) {
    throw failed(errorDetail(cause), cause);
  } finally {
    clearTimeout(timer);
  }
  // They are written to a file: what that cannot hold would be lost.
  if (!isJsonObject(result) || !equalJson(asWritten(result), result)) throw failed('migrateConfig returned no JSON object');
  return result;
}

function asWritten(value: object): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

function missing(plugin: FoundPlugin): KernelProblem {
  const {name, file, manifest} = plugin;
  const parameters = {version: String(settingsVersion(plugin)), entry: manifest.entry ?? 'the plugin'};
  return problem('CONFIG_MIGRATION_MISSING', parameters, {plugin: name, file, path: 'configVersion'});
}
