import {resolve} from 'node:path';
import type {FoundPlugin} from '../manifests/read-manifest.js';
import {configuredPlugins, type PluginsConfiguration} from './plugins-configuration.js';

/** A JSON schema, as far as paths are looked for in it. */
interface PathSchema {
  readonly format?: unknown;
  readonly properties?: unknown;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
  readonly allOf?: unknown;
  readonly anyOf?: unknown;
  readonly oneOf?: unknown;
}

/**
 * Makes every string with the format `path` in the schema absolute, relative to `folder`. Empty strings, which name nothing, and `-`, which means
 * a standard stream, stay as they are. Values of a wrong type stay too, for the validator to report.
 */
export function withAbsolutePaths<T>(value: T, schema: unknown, folder: string): T {
  return absolute(value, schema, folder) as T;
}

function absolute(value: unknown, schema: unknown, folder: string): unknown {
  if (typeof schema !== 'object' || schema === null) return value;
  const {format, properties, items, additionalProperties, allOf, anyOf, oneOf} = schema as PathSchema;
  let result = value;
  for (const branches of [allOf, anyOf, oneOf]) {
    if (Array.isArray(branches)) for (const branch of branches) result = absolute(result, branch, folder);
  }
  if (typeof result === 'string') return format === 'path' && result !== '' && result !== '-' ? resolve(folder, result) : result;
  if (Array.isArray(result)) {
    return result.map((item, index) => absolute(item, Array.isArray(items) ? items[index] : items, folder));
  }
  if (typeof result !== 'object' || result === null) return result;
  const known = (properties ?? {}) as Readonly<Record<string, unknown>>;
  // Not by assignment: a member may be called __proto__.
  return Object.fromEntries(
    Object.entries(result).map(([name, member]) => [
      name,
      absolute(member, Object.hasOwn(known, name) ? known[name] : additionalProperties, folder),
    ]),
  );
}

/** The plugins of a configuration file, with the paths in their settings resolved relative to the file's folder. */
export function locateSettings(plugins: PluginsConfiguration, found: readonly FoundPlugin[], folder: string): PluginsConfiguration {
  const schemas = new Map(found.map(({name, manifest}) => [name, manifest.config]));
  const located = [...configuredPlugins(plugins)].map(([name, entry]) => [
    name,
    entry.config === undefined ? entry : {...entry, config: withAbsolutePaths(entry.config, schemas.get(name), folder)},
  ]);
  return {...plugins, ...(Object.fromEntries(located) as PluginsConfiguration)};
}
