import type {LoadedPlugin} from '../../kernel/manifests/loaded-plugin.js';
import type {ServerOptions} from '../server-options.js';
import type {FlagDefinition} from './flag-definition.js';
import {limitFlags} from './limit-flags.js';
import {pluginFlags} from './plugin-flags.js';
import {coreFlags} from './server-flags.js';

/** What is shown of a value with a password in it, as Kubernetes shows confidential flags. */
const classified = 'CLASSIFIED';
const withPassword = /:\/\/[^/\s]*@/;

/**
 * The values of all flags as `/flagz` shows them: what was given on the command line or in the configuration, otherwise the default.
 *
 * @param resolved options that were derived from these; they count first
 */
export function flagValues(
  options: ServerOptions,
  resolved: Readonly<Record<string, unknown>>,
  plugins: readonly LoadedPlugin[],
): Readonly<Record<string, string>> {
  const {configuration = {}, leaderElection, limits} = options;
  const {level: logLevel, format: logFormat, requests: logRequests, slowRequestThreshold} = configuration.log ?? {};
  const layers = [
    resolved,
    {config: options.configurationFile, plugin: options.plugins},
    options,
    {...leaderElection, ...limits},
    configuration,
    {...configuration.leaderElection, ...configuration.limits},
    {logLevel, logFormat, logRequests, slowRequestThreshold},
  ] as readonly Readonly<Record<string, unknown>>[];
  const given = (name: string) => {
    const option = optionOf(name);
    return layers.find((layer) => layer[option] !== undefined)?.[option];
  };
  const own = [...coreFlags, ...limitFlags].map((flag) => [flag.name, textOf(given(flag.name), flag)] as const);
  const taken = new Set(own.map(([name]) => name));
  const others = plugins
    .filter(({enabled}) => enabled)
    .flatMap(({manifest, config}) => pluginFlags(manifest).map((flag) => [flag.name, textOf(config[flag.property], flag)] as const));
  return Object.fromEntries([...own, ...others.filter(([name]) => !taken.has(name))]);
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
