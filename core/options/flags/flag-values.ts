import type {LoadedPlugin} from '../../kernel/manifests/loaded-plugin.js';
import type {ServerOptions} from '../server-options.js';
import type {FlagDefinition} from './flag-definition.js';
import {limitFlags} from './limit-flags.js';
import {pluginFlags} from './plugin-flags.js';
import {coreFlags} from './server-flags.js';

/** What is shown of a value that may be a secret, as Kubernetes shows confidential flags. */
export const classified = 'CLASSIFIED';
/** An address with a password in it. */
export const withPassword = /:\/\/[^/\s]*@/;
/** Names of values that are secrets themselves: the name of a file with one ends otherwise (`passwordFile`). */
const secretName = /(?:pass(?:word|phrase)?|secret|token|credential|key)s?$/i;

/** What may say of a setting that it is a secret. */
export interface SettingSchema {
  readonly format?: unknown;
  readonly writeOnly?: unknown;
}

/** Options of one source, by name. */
export type Layer = Readonly<Record<string, unknown>>;

/** What was given on the command line or by a program, and what the configuration says; the first that has an option counts. */
export interface FlagLayers {
  readonly given: readonly Layer[];
  readonly configured: readonly Layer[];
}

export function flagLayers(options: ServerOptions): FlagLayers {
  const {configuration = {}, leaderElection, limits} = options;
  const {level: logLevel, format: logFormat, requests: logRequests, slowRequestThreshold} = configuration.log ?? {};
  return {
    given: [{config: options.configurationFile, plugin: options.plugins}, {...options}, {...leaderElection, ...limits}],
    configured: [
      {...configuration},
      {...configuration.leaderElection, ...configuration.limits},
      {logLevel, logFormat, logRequests, slowRequestThreshold},
    ],
  };
}

/** What layers say of the option that a flag sets; undefined if nothing. */
export function foundIn(layers: readonly Layer[], flag: string): unknown {
  const option = optionOf(flag);
  return layers.find((layer) => layer[option] !== undefined)?.[option];
}

/**
 * The values of all flags as `/flagz` shows them: what was given on the command line or in the configuration, otherwise the default.
 *
 * @param resolved options that were derived from these; they count first
 */
export function flagValues(options: ServerOptions, resolved: Layer, plugins: readonly LoadedPlugin[]): Readonly<Record<string, string>> {
  const {given, configured} = flagLayers(options);
  const layers = [resolved, ...given, ...configured];
  const own = [...coreFlags, ...limitFlags].map((flag) => [flag.name, textOf(foundIn(layers, flag.name), flag)] as const);
  const taken = new Set(own.map(([name]) => name));
  const others = plugins
    .filter(({enabled}) => enabled)
    .flatMap((plugin) =>
      pluginFlags(plugin.manifest).map((flag) => {
        const value = plugin.config[flag.property];
        const isHidden = value !== undefined && isConfidential(flag.property, plugin.manifest.config?.properties?.[flag.property]);
        return [flag.name, isHidden ? classified : textOf(value, flag)] as const;
      }),
    );
  return Object.fromEntries([...own, ...others.filter(([name]) => !taken.has(name))]);
}

/** Whether a setting of a plugin may be a secret: by what its schema says, otherwise by its name. The path of a file is none. */
export function isConfidential(name: string, schema: SettingSchema | undefined): boolean {
  if (schema?.writeOnly === true) return true;
  return schema?.format !== 'path' && secretName.test(name);
}

/** The option that a flag sets: `leaseDuration` for `leader-elect-lease-duration`, otherwise the name in another spelling. */
function optionOf(flag: string): string {
  return flag.replace(/^leader-elect-/, '').replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function textOf(value: unknown, flag: FlagDefinition): string {
  // An option with more in it than its flag, which has flags of its own.
  if (flag.type === 'boolean' && typeof value === 'object') return 'true';
  const text = value === undefined ? (flag.default ?? (flag.type === 'list' ? '[]' : '')) : valueText(value);
  return withPassword.test(text) ? classified : text;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(itemText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}=${String(each)}`)
    .join(',');
}

/** A plugin may be given as itself. */
function itemText(item: unknown): string {
  const name = typeof item === 'object' && item !== null ? (item as {manifest?: {name?: unknown}}).manifest?.name : item;
  return String(name);
}
