import type {LeaderElectionSettings} from '../controllers/election-times.js';
import type {ClusterOptions} from './cluster-options.js';
import type {PlatformNames} from '../../sdk/contracts/naming.js';
import type {KernelProblem} from '../kernel/kernel-error.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import type {SelectionConfiguration} from '../kernel/selection/selection-options.js';
import type {LogFormat} from '../logs/create-logger.js';
import type {ServingOptions} from '../tls/serving-options.js';
import {compiledValidator} from '../kernel/schema/compiled-validators.js';
import {schemaFaults} from '../kernel/schema/schema-faults.js';

/** The operator's own naming profile, as data. Omitted members come from `base` (`orch` by default). */
export interface NamingConfiguration extends Partial<PlatformNames> {
  readonly name: string;
  readonly base?: 'orch' | 'kubernetes';
}

/** Limits of the server by name: whole numbers, sizes such as `64Ki`, durations such as `30s`. */
export type LimitSettings = Readonly<Record<string, number | string>>;

/** The configuration file, parsed. `configuration.schema.json` describes the same. Flags override it. */
export interface Configuration extends SelectionConfiguration, ServingOptions {
  readonly platform?: string;
  /** The release of Kubernetes whose types are served, as in `'1.30'`; by default `1.36` under the platform `kubernetes`, else `1.26`. */
  readonly release?: string;
  /** Whether a store is served that a server of a newer release has written to. */
  readonly allowOlderRelease?: boolean;
  readonly store?: string;
  readonly dataDir?: string;
  readonly securePort?: number;
  readonly bindAddress?: string;
  /** Same as `--workers`; only the command line looks at it. */
  readonly workers?: number;
  readonly advertiseAddress?: string;
  readonly encryptionProviderConfig?: string;
  readonly encryptionProviderConfigAutomaticReload?: boolean;
  readonly admissionControlConfigFile?: string;
  readonly auditPolicyFile?: string;
  /** Same as `--authorization-config`. */
  readonly authorizationConfig?: string;
  /** Same as `--tracing-config-file`. */
  readonly tracingConfigFile?: string;
  /** Same as `--cluster`, `--nodes` and `--nodes-file`. */
  readonly cluster?: boolean | ClusterOptions;
  /** Same as `--enable-console`. */
  readonly enableConsole?: boolean;
  /** Same as the flags `--leader-elect-…`. */
  readonly leaderElection?: LeaderElectionSettings;
  readonly enablePriorityAndFairness?: boolean;
  readonly strictAdmission?: boolean;
  readonly strictPlugins?: boolean;
  readonly runtimeConfig?: Readonly<Record<string, boolean>>;
  readonly naming?: NamingConfiguration;
  /** Same as the flags with these names in kebab case. */
  readonly limits?: LimitSettings;
  /** Same as `--cors-allowed-origins`. */
  readonly corsAllowedOrigins?: readonly string[];
  readonly log?: {
    /** Same as `--log-level`: `info,http=debug`. */
    readonly level?: string;
    readonly format?: LogFormat;
    /** Same as `--log-requests`. */
    readonly requests?: boolean;
    /** Same as `--slow-request-threshold`. */
    readonly slowRequestThreshold?: string;
  };
}

/**
 * All errors of a parsed configuration.
 *
 * @param file where it comes from, for the messages
 */
export function configurationProblems(value: unknown, file?: string): KernelProblem[] {
  const validate = compiledValidator(new URL('configuration.validator.cjs', import.meta.url));
  if (validate(value)) return [];
  return schemaFaults(validate.errors).map(({path, text}) =>
    serverProblem('CONFIGURATION_INVALID', {detail: path === '' ? `the configuration ${text}` : `${path} ${text}`}, {path, file}),
  );
}
