import {existsSync, readFileSync} from 'node:fs';
import {dirname, isAbsolute, join, resolve} from 'node:path';
import {isJsonObject} from '../../sdk/values/is-json-object.js';
import {configuredPlugins, type PluginConfiguration} from '../kernel/selection/plugins-configuration.js';
import {configurationProblems, type Configuration} from '../options/configuration.js';
import {errorDetail} from '../kernel/error-detail.js';
import {KernelError} from '../kernel/kernel-error.js';
import {locateServing} from '../tls/serving-options.js';
import {serverProblem} from '../configuration/error-catalogue.js';

/**
 * Reads a configuration file, JSON or YAML. Relative paths in it (`dataDir`, `encryptionProviderConfig`,
 * `admissionControlConfigFile`, `auditPolicyFile`, `authorizationConfig`, `tracingConfigFile`, certificates, `plugins.NAME.from`) are relative to the file and come back absolute.
 * Those in the settings of plugins wait for the manifests (`locateSettings`).
 *
 * @throws KernelError with all faults
 */
export async function readConfiguration(path: string, cwd: string): Promise<Configuration> {
  const file = resolve(cwd, path);
  const value = withoutNulls(await parse(file));
  KernelError.throwIfAny(configurationProblems(value, file));
  const configuration = value as Configuration;
  const folder = dirname(file);
  const {dataDir, encryptionProviderConfig, admissionControlConfigFile, auditPolicyFile, authorizationConfig, tracingConfigFile, plugins} =
    configuration;
  return {
    ...configuration,
    ...locateServing(configuration, folder),
    ...(dataDir === undefined ? {} : {dataDir: resolve(folder, dataDir)}),
    ...(encryptionProviderConfig === undefined ? {} : {encryptionProviderConfig: resolve(folder, encryptionProviderConfig)}),
    ...(admissionControlConfigFile === undefined ? {} : {admissionControlConfigFile: resolve(folder, admissionControlConfigFile)}),
    ...(auditPolicyFile === undefined ? {} : {auditPolicyFile: resolve(folder, auditPolicyFile)}),
    ...(authorizationConfig === undefined ? {} : {authorizationConfig: resolve(folder, authorizationConfig)}),
    ...(tracingConfigFile === undefined ? {} : {tracingConfigFile: resolve(folder, tracingConfigFile)}),
    ...(plugins === undefined
      ? {}
      : {
          plugins: {
            ...plugins,
            ...Object.fromEntries([...configuredPlugins(plugins)].map(([name, entry]) => [name, locate(entry, folder)])),
          },
        }),
  };
}

/** A key of YAML with nothing below it, as is left of a block whose lines were taken out or commented out, sets nothing. */
function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, name === 'plugins' ? withEmptyPlugins(member) : member]));
}

function withEmptyPlugins(plugins: unknown): unknown {
  if (!isJsonObject(plugins)) return plugins;
  return Object.fromEntries(
    Object.entries(plugins).map(([name, entry]) => {
      if (entry === null) return [name, {}];
      return [name, isJsonObject(entry) ? Object.fromEntries(Object.entries(entry).filter(([, member]) => member !== null)) : entry];
    }),
  );
}

/** A package is looked for beside the file first, where `orch plugins add` installs it, and upwards; otherwise its name stays as it is. */
function locate(entry: PluginConfiguration, folder: string): PluginConfiguration {
  if (entry.from === undefined) return entry;
  if (/^\.\.?([\\/]|$)/.test(entry.from) || isAbsolute(entry.from)) return {...entry, from: resolve(folder, entry.from)};
  for (let above = folder; ; above = dirname(above)) {
    const installed = join(above, 'node_modules', entry.from);
    if (existsSync(installed)) return {...entry, from: installed};
    if (dirname(above) === above) return entry;
  }
}

async function parse(file: string): Promise<unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new KernelError([serverProblem('CONFIGURATION_UNREADABLE', {detail: errorDetail(cause)}, {file, cause})]);
  }
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // YAML has braces too; its parser has the better message.
    }
  }
  // A file without contents configures nothing; the parser takes it for an error.
  if (text.split('\n').every((line) => /^\s*(#|$)/.test(line))) return {};
  const {load} = await import('js-yaml');
  try {
    return load(text) ?? {};
  } catch (cause) {
    // Below the first line the parser shows the place in the text.
    const [message] = (cause as Error).message.split('\n', 1);
    throw new KernelError([serverProblem('CONFIGURATION_UNREADABLE', {detail: message!}, {file, cause})]);
  }
}
