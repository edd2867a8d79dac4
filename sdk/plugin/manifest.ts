import type {Permission} from '../contracts/declared-account.js';
import type {ElementDeprecation, FeatureGateLifetime} from '../contracts/lifetimes.js';
import type {ResourceDefinition} from '../contracts/resource-definition.js';

/**
 * `plugin.json`: what a plugin is and what it contributes. Read and checked (against `plugin.schema.json` and against all
 * other manifests) before any code of the plugin is loaded. The entry module must export what it declares.
 */
export interface PluginManifest {
  readonly $schema?: string;
  /** Unique; lower-case words joined by hyphens. */
  readonly name: string;
  /** Semantic version of the plugin. */
  readonly version: string;
  readonly description?: string;
  /** Range of kernel versions the plugin works with, for example `^0.1.0`. */
  readonly kernel: string;
  /** Module with the classes named under `contributes`, relative to the manifest. Not needed if there are none. */
  readonly entry?: string;
  /** Plugins that must be enabled and start earlier, by name or with a range of versions, and services of whichever plugin provides them. */
  readonly requires?: readonly (string | PluginRequirement | ServiceRequirement)[];
  /** Services for other plugins. */
  readonly provides?: readonly ProvidedService[];
  /**
   * What its client (`Tokens.Resources`) and its view of the cache may do, besides reading the types that it contributes; nothing else by default. Where
   * RBAC decides, the server makes the role `system:plugin:NAME` of that. A rule with `*` for verbs, groups and resources: everything, as a part of the server.
   * Controllers have permissions of their own.
   */
  readonly permissions?: readonly Permission[];
  readonly contributes?: PluginContributions;
  /** JSON schema of the plugin's settings. */
  readonly config?: ConfigSchema;
  /**
   * Version of what `config` describes; 1 by default. It is raised when settings of before would be refused or mean something else, and `migrateConfig` then makes new ones of
   * them. A configuration says for which version its settings were written.
   */
  readonly configVersion?: number;
  readonly featureGates?: Readonly<Record<string, FeatureGateDeclaration>>;
  /** Whether the plugin is enabled by default; true if absent. */
  readonly enabledByDefault?: boolean;
  /**
   * Whether a built-in plugin is imported when one of its types is first used, not when the server starts. Only for plugins whose classes are
   * strategies and handlers without `start` and `stop`. Third-party plugins are always imported at start.
   */
  readonly lazy?: boolean;
}

/** Another plugin that a plugin needs. */
export interface PluginRequirement {
  readonly plugin: string;
  /** Range of versions; any by default. */
  readonly version?: string;
}

/** A service that a plugin needs, whichever plugin provides it. */
export interface ServiceRequirement {
  readonly service: string;
  /** Range of versions; any by default. */
  readonly version?: string;
}

/** A class whose instance other plugins inject. */
export interface ProvidedService {
  readonly service: string;
  readonly class: string;
  /** Semantic version of what it offers; that of the plugin by default. */
  readonly version?: string;
}

/** Class names are names of exports of the entry module, each decorated with the decorator of its kind. */
export interface PluginContributions {
  readonly resources?: readonly ResourceDefinition[];
  readonly stores?: readonly StoreContribution[];
  readonly authenticators?: readonly string[];
  /** Class names, or classes with the modes that they are asked under. */
  readonly authorizers?: readonly (string | AuthorizerContribution)[];
  readonly admission?: readonly AdmissionContribution[];
  readonly webhookCallers?: readonly string[];
  readonly auditSinks?: readonly string[];
  readonly controllers?: readonly ControllerContribution[];
  readonly routes?: readonly RouteContribution[];
  readonly views?: readonly ViewContribution[];
}

/** A part of the console in the browser. */
export interface ViewContribution {
  /** Module that the console loads, relative to the manifest; it may import others of its folder. It exports a `ConsoleView` by default. */
  readonly module: string;
  readonly title: string;
  /** Type whose page it is, with the group in the neutral form; without it, it is a card on the first page. */
  readonly resource?: {readonly group: string; readonly resource: string};
  /** What it may ask the server as the user who looks at it; nothing by default. */
  readonly permissions?: readonly Permission[];
}

export interface StoreContribution {
  readonly class: string;
  /** Schemes of `--store` that it opens; a word without `://` counts as a scheme too (`memory`). */
  readonly schemes: readonly string[];
}

export interface AuthorizerContribution {
  readonly class: string;
  /**
   * Name for `--authorization-mode`, which then decides whether and in which place it is asked. To name a mode enables its plugin, unless somebody has disabled
   * it.
   */
  readonly mode: string;
  /** Whether it is asked where nobody names modes, in the place that its class says; true if absent. */
  readonly enabledByDefault?: boolean;
}

export interface AdmissionContribution {
  readonly class: string;
  /** Name for `--enable-admission-plugins` and `--disable-admission-plugins`. */
  readonly name: string;
  readonly enabledByDefault?: boolean;
  /** Feature gate without which it does not run, even if it is enabled. */
  readonly featureGate?: string;
}

export interface ControllerContribution {
  readonly class: string;
  /** Name for `--controllers`. */
  readonly name: string;
  /** Further names for `--controllers`. */
  readonly aliases?: readonly string[];
  readonly enabledByDefault?: boolean;
  /** Feature gate without which it does not run, even if it is named. */
  readonly featureGate?: string;
  /** A set of controllers that one option turns on as if they were on by default: `cluster` (`--cluster`). */
  readonly set?: string;
  /**
   * Whether it runs on one server at a time of those that share a store: true by default. A string names the lease that decides where, so
   * that controllers with the same one run on the same server; with `true` it has the name of the controller. `false`: it runs on every server.
   */
  readonly leaderElection?: boolean | string;
  /**
   * Service account in the system namespace as which it acts; by default the one with the controller's name in lower case. `controller-manager` is the
   * controller manager itself. `false`: it acts as `system:plugin:PLUGIN`, as the rest of its plugin does, and may do what the `permissions` of the plugin allow.
   */
  readonly serviceAccount?: string | false;
  /**
   * What it may do beside reading and recording Events. Where RBAC decides, the server makes a role with that for the account. Without it, an account that
   * `serviceAccount` names has the roles that somebody else gives it.
   */
  readonly permissions?: readonly Permission[];
}

export interface RouteContribution {
  readonly class: string;
  /** Path, or a prefix if it ends with `/*`. */
  readonly path: string;
  readonly methods: readonly string[];
  /**
   * Whether its answers may last for as long as their clients stay (event streams, downloads): they have no deadline (`--request-timeout`), and count among the
   * watches that a user may have open. False by default.
   */
  readonly longRunning?: boolean;
  /**
   * Whether everybody may ask for it, without credentials and whatever authorizers say: for what a browser needs before its user has signed in. A request with
   * credentials has its user all the same; one with credentials that nobody accepts is refused. False by default.
   */
  readonly public?: boolean;
}

/** Keywords of `ConfigProperty` that JSON schema does not have. */
export const settingKeywords = ['flag', 'sameAs'] as const;

/** A JSON schema of type object. A property may name the command-line flag that sets it. */
export interface ConfigSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, ConfigProperty>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export interface ConfigProperty {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  /**
   * `path`: the text (or in `items` and `properties` each of these texts) names a file or folder, and reaches the plugin absolute. A relative one is relative to the
   * configuration file if it stands there, to the working directory if it comes from a flag, a program or `default`. An empty text and `-` stay as they are.
   * Also `date`, `date-time`, `duration` (`1m30s`), `email`, `hostname`, `ipv4`, `ipv6`, `regex`, `uri` and `uuid`; others are refused.
   */
  readonly format?: string;
  /** `--name` of the flag, listed by `orch serve --help`. An array takes the flag repeatedly or with commas. */
  readonly flag?: string;
  /** The flag is deprecated: using it prints a warning. */
  readonly deprecated?: ElementDeprecation;
  /**
   * `PLUGIN.PROPERTY`: a setting of another plugin, whose value this one takes. If that plugin is disabled, the default applies. Such a
   * property cannot be set itself and has no flag.
   */
  readonly sameAs?: string;
  readonly [keyword: string]: unknown;
}

export interface FeatureGateDeclaration {
  readonly default: boolean;
  readonly stage: 'alpha' | 'beta' | 'stable';
  readonly description?: string;
  readonly lifetime?: FeatureGateLifetime;
}
