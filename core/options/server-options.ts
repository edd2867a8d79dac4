import type {Logger, PluginDefinition} from '../../sdk/index.js';
import type {ClusterOptions} from './cluster-options.js';
import type {Configuration, LimitSettings} from './configuration.js';
import type {PluginCatalogue} from '../kernel/selection/plugin-catalogue.js';
import type {LeaderElectionSettings} from '../controllers/election-times.js';
import type {ServingOptions} from '../tls/serving-options.js';
import type {Switches} from '../kernel/selection/selection-options.js';

/** How long the log of a store is kept unless the options say otherwise. */
export const defaultHistoryMillis = 5 * 60 * 1000;

/** How a server is made, by the command line and by programs alike. What is given here wins over `configuration`. */
export interface ServerOptions extends ServingOptions {
  /** Naming profile: `orch` (default), `kubernetes`, or the name of the configuration's own. */
  readonly platform?: string;
  /** The release of Kubernetes whose types are served, `1.26` to `1.36`; by default `1.36` under the platform `kubernetes`, else `1.26`. */
  readonly release?: string | undefined;
  /**
   * Whether a store is served that a server of a newer release has written to; false by default: fields that came after the own release are not shown, and are lost
   * from objects that are written.
   */
  readonly allowOlderRelease?: boolean | undefined;
  /** `embedded` (default), `memory`, or a URL such as `redis://127.0.0.1:6379/0`. */
  readonly store?: string;
  /** Folder of the server's own files, relative to `cwd`; `./.orch` by default. */
  readonly dataDir?: string;
  /** 6443 by default; 0 picks a free port. */
  readonly securePort?: number;
  /** 127.0.0.1 by default. */
  readonly bindAddress?: string;
  /** IP address at which other machines reach the server; by default the one that it listens on. */
  readonly advertiseAddress?: string | undefined;
  /** Further plugins: folders, `plugin.json` files, modules or npm packages, relative to `cwd`; or plugins made with `definePlugin`. */
  readonly plugins?: readonly (string | PluginDefinition)[];
  /** A configuration file's contents. */
  readonly configuration?: Configuration;
  /** The file that it was read from, for messages. */
  readonly configurationFile?: string | undefined;
  /** How messages call an option, by its name here; that name by default. */
  readonly optionName?: (name: string) => string;
  /** Names of the flags on the command line, for who asks where a value comes from; without it, the options that are set. */
  readonly givenFlags?: readonly string[] | undefined;
  /** Values of flags that plugins declare, by the flag's name, in the type that the manifest gives. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Of the plugins that come with the server these take part, with what they require, and no others; names or patterns, beside those of `pluginProfile`. */
  readonly onlyPlugins?: readonly string[] | undefined;
  /** Which of the plugins that come with the server take part: `minimal`, `crd-only`, `kubernetes` or `default`. */
  readonly pluginProfile?: string | undefined;
  readonly enablePlugins?: readonly string[];
  readonly disablePlugins?: readonly string[];
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** An `AdmissionConfiguration`: what admission controllers are configured with, relative to `cwd`. */
  readonly admissionControlConfigFile?: string;
  /** A `Policy` of the audit log: which requests are recorded, and how much of them, relative to `cwd`. */
  readonly auditPolicyFile?: string | undefined;
  /** A `TracingConfiguration`: where traces of requests go, and of how many, relative to `cwd`. */
  readonly tracingConfigFile?: string | undefined;
  /** Modes of the authorizers that decide, in this order, as in `['Node', 'RBAC']`; `RBAC` by default, where its plugin takes part. */
  readonly authorizationMode?: readonly string[];
  /**
   * An `AuthorizationConfiguration`, relative to `cwd`: which authorizers are asked in which order, with the settings of webhooks; in place of `authorizationMode`. Read again
   * when it changes.
   */
  readonly authorizationConfig?: string | undefined;
  /** Controllers to run, in Kubernetes' syntax: `*`, `NAME`, `-NAME`. */
  readonly controllers?: readonly string[];
  /**
   * Whether the server is a whole cluster: `*` among `controllers` stands also for those that make pods of Deployments, Jobs and other workloads, of which an API server
   * alone has none; false by default. Options say what there is besides: simulated nodes.
   */
  readonly cluster?: boolean | ClusterOptions | undefined;
  /** Whether there is a console in the browser, at `/console/`: turns on the plugins `console` and `inspection`; false by default. */
  readonly enableConsole?: boolean | undefined;
  /** How long leases of controllers last; `15s`, `10s` and `2s` by default. */
  readonly leaderElection?: LeaderElectionSettings | undefined;
  /** `{NAME: true}` or `['NAME=true']`. */
  readonly featureGates?: Switches;
  /** `{'apps/v1': false}` or `['apps/v1=false']`. */
  readonly runtimeConfig?: Switches;
  /** An `EncryptionConfiguration` by which objects are encrypted in the store, relative to `cwd`. */
  readonly encryptionProviderConfig?: string;
  /** Whether changes of that file take effect while the server runs. */
  readonly encryptionProviderConfigAutomaticReload?: boolean;
  /** Whether requests are put in order by flow schemas and priority levels; true by default. */
  readonly enablePriorityAndFairness?: boolean | undefined;
  /** Whether the test suite may take and restore snapshots (`/orch/testing`); false by default, and never true but for tests. */
  readonly enableTestingApi?: boolean | undefined;
  /**
   * Whether what plugins return is held against their contracts and what they may not change is frozen, so that mistakes fail where they are made; false by default, as it
   * costs copies of objects. Implies `strictAdmission`.
   */
  readonly strictPlugins?: boolean | undefined;
  /** Whether admission controllers that change an object in `validate` fail; false by default, as it costs a copy of each object written. */
  readonly strictAdmission?: boolean | undefined;
  /** How long history is kept, in milliseconds: so long watches can be resumed and pages continued. 5 minutes by default. */
  readonly historyMillis?: number;
  /** What connections, clients and requests may cost, by name: `{maxConnections: 500, maxHeaderBytes: '64Ki', idleTimeout: '120s'}`. */
  readonly limits?: LimitSettings | undefined;
  /** Regular expressions (Go's syntax) of the origins whose pages may use the server (CORS); none by default. */
  readonly corsAllowedOrigins?: readonly string[] | undefined;
  /** A log of the program's own; pino's fits. Nothing is logged without it and without `log`. */
  readonly logger?: Logger;
  /**
   * A log that the server makes, as `orch serve` has it: `true` or levels (`warn`, or `info,http=debug`) for standard error, in text on a terminal and in lines of JSON
   * elsewhere (`configuration.log.format`); or a stream that gets the lines. At `info` and above, unless levels are given here, as `logLevel` or in `configuration.log`.
   */
  readonly log?: boolean | string | {write(line: string): unknown} | undefined;
  /** What `logger` gets of it, as in `info,http=debug`: the least level, and those of components; everything by default. */
  readonly logLevel?: string | undefined;
  /** Whether every request is logged at `info`; otherwise they are at `debug`. False by default. */
  readonly logRequests?: boolean | undefined;
  /** Requests that take longer than this duration are logged with the times of their steps: `1s` by default, `0s` for none. */
  readonly slowRequestThreshold?: string | undefined;
  /** What relative paths are relative to; the working directory of the process by default. */
  readonly cwd?: string;
  /** Folders that are searched for plugins; the built-in ones by default. */
  readonly pluginRoots?: readonly string[];
  /** Manifests that were read already, so that they are not read again. */
  readonly catalogue?: PluginCatalogue;
}
