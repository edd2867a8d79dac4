import type {PlatformNames} from '../../sdk/contracts/naming.js';
import {problem, type KernelProblem} from './kernel-error.js';
import {configurationValidator} from './schema/compiled-validators.js';
import {schemaFaults} from './schema/schema-faults.js';

/** The configuration of one plugin. */
export interface PluginConfiguration {
  readonly enabled?: boolean;
  /** Folder, `plugin.json` or npm package of a plugin that does not come with the server. */
  readonly from?: string;
  /** Its settings; validated by the `config` schema of its manifest. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** The operator's own naming profile, as data. Omitted members come from `base` (`orch` by default). */
export interface NamingConfiguration extends Partial<PlatformNames> {
  readonly name: string;
  readonly base?: 'orch' | 'kubernetes';
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
export type LogFormat = 'auto' | 'text' | 'json';

/** Limits of the server by name: whole numbers, sizes such as `64Ki`, durations such as `30s`. */
export type LimitSettings = Readonly<Record<string, number | string>>;

/** The configuration file, parsed. `configuration.schema.json` describes the same. Flags override it. */
export interface Configuration {
  readonly platform?: string;
  readonly store?: string;
  readonly dataDir?: string;
  readonly securePort?: number;
  readonly bindAddress?: string;
  readonly encryptionProviderConfig?: string;
  readonly encryptionProviderConfigAutomaticReload?: boolean;
  readonly admissionControlConfigFile?: string;
  readonly plugins?: Readonly<Record<string, PluginConfiguration>>;
  readonly admission?: {readonly enable?: readonly string[]; readonly disable?: readonly string[]};
  readonly controllers?: readonly string[];
  readonly enablePriorityAndFairness?: boolean;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly runtimeConfig?: Readonly<Record<string, boolean>>;
  readonly naming?: NamingConfiguration;
  /** Same as the flags with these names in kebab case. */
  readonly limits?: LimitSettings;
  /** Same as `--cors-allowed-origins`. */
  readonly corsAllowedOrigins?: readonly string[];
  readonly log?: {readonly level?: LogLevel; readonly format?: LogFormat};
}

/**
 * All errors of a parsed configuration.
 *
 * @param file where it comes from, for the messages
 */
export function configurationProblems(value: unknown, file?: string): KernelProblem[] {
  const validate = configurationValidator();
  if (validate(value)) return [];
  return schemaFaults(validate.errors).map(({path, text}) =>
    problem('CONFIGURATION_INVALID', {detail: path === '' ? `the configuration ${text}` : `${path} ${text}`}, {path, file}),
  );
}
