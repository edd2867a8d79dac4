import {dirname, resolve} from 'node:path';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {coreFlags} from '../options/flags/server-flags.js';
import {KernelError} from '../kernel/kernel-error.js';
import {locateSettings} from '../kernel/selection/path-settings.js';
import {PluginCatalogue} from '../kernel/selection/plugin-catalogue.js';
import {builtinPlugins} from '../options/builtin-plugins.js';
import type {LogFormat} from '../logs/create-logger.js';
import {parseLevels} from '../logs/log-levels.js';
import {optionName} from '../options/kernel-options.js';
import {pluginFlags, type PluginFlag} from '../options/flags/plugin-flags.js';
import type {ServerOptions} from '../options/server-options.js';
import {limitFlags, limitsOfFlags} from '../options/flags/limit-flags.js';
import {admissionFlags} from './admission-control.js';
import {parseFlags} from './parse-flags.js';
import {readConfiguration} from './read-configuration.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

/** The flags of the server itself. */
const serverFlags: readonly FlagDefinition[] = [...coreFlags, ...limitFlags];

/** What is logged, and how. */
export interface LogArguments {
  readonly levels: string;
  readonly format: LogFormat;
}

/** A command line of `serve`, understood. */
export interface ServerArguments {
  readonly options: ServerOptions;
  readonly log: LogArguments;
  /** Processes that answer requests. */
  readonly workers: number;
  readonly positionals: readonly string[];
}

/**
 * Reads the flags of the server and of its plugins. Which flags there are depends on the plugins, and these on two of the flags, so
 * `--config` and `--plugin` are looked for first.
 *
 * @param extra flags of the command itself
 * @throws UsageError, KernelError
 */
export async function serverArguments(
  args: readonly string[],
  terminal: Terminal,
  extra: readonly FlagDefinition[] = [],
): Promise<ServerArguments & {readonly extra: ReadonlyMap<string, unknown>}> {
  const {configuration, configurationFile, catalogue} = await readPlugins(args, terminal);
  let parsed;
  try {
    parsed = parseFlags(args, [...serverFlags, ...extra, ...allPluginFlags(catalogue)]);
  } catch (error) {
    // A flag may be unknown only because its plugin's manifest cannot be used.
    KernelError.throwIfAny(catalogue.problems);
    throw error;
  }
  const {flags, positionals, warnings} = parsed;
  for (const warning of warnings) terminal.err.write(`${warning}\n`);
  const reserved = new Set(serverFlags.map((flag) => flag.name));
  const own = new Set(extra.map((flag) => flag.name));
  const value = <T>(name: string) => flags.get(name) as T | undefined;
  const port = value<number>('secure-port');
  if (port !== undefined && (port < 0 || port > 65_535)) throw new UsageError(`--secure-port must be from 0 to 65535, not ${port}`);
  const workers = value<number>('workers') ?? configuration?.workers ?? 1;
  if (workers < 1 || workers > 64) throw new UsageError(`--workers must be from 1 to 64, not ${workers}`);
  const logLevels = logLevelsOf(value('log-level'), configuration?.log?.level);
  return {
    positionals,
    workers,
    extra: new Map([...flags].filter(([name]) => own.has(name))),
    log: {
      levels: logLevels,
      format: value<LogFormat>('log-format') ?? configuration?.log?.format ?? 'auto',
    },
    options: {
      platform: value('platform'),
      release: value('release'),
      allowOlderRelease: value('allow-older-release'),
      store: value('store'),
      dataDir: value('data-dir'),
      securePort: port,
      bindAddress: value('bind-address'),
      advertiseAddress: value('advertise-address'),
      clientCaFile: value('client-ca-file'),
      tlsCertFile: value('tls-cert-file'),
      tlsPrivateKeyFile: value('tls-private-key-file'),
      certDir: value('cert-dir'),
      tlsSniCertKey: value('tls-sni-cert-key'),
      tlsMinVersion: value('tls-min-version'),
      tlsCipherSuites: value('tls-cipher-suites'),
      disableHttp2Serving: value('disable-http2-serving'),
      goawayChance: value('goaway-chance'),
      encryptionProviderConfig: value('encryption-provider-config'),
      encryptionProviderConfigAutomaticReload: value('encryption-provider-config-automatic-reload'),
      admissionControlConfigFile: value('admission-control-config-file'),
      auditPolicyFile: value('audit-policy-file'),
      tracingConfigFile: value('tracing-config-file'),
      logLevel: logLevels,
      logRequests: value('log-requests'),
      slowRequestThreshold: value('slow-request-threshold'),
      enablePriorityAndFairness: value('enable-priority-and-fairness'),
      enableTestingApi: value('enable-testing-api'),
      strictAdmission: value('strict-admission'),
      strictPlugins: value('strict-plugins'),
      plugins: value('plugin'),
      configuration,
      configurationFile,
      optionName,
      givenFlags: [...flags.keys()],
      flags: Object.fromEntries([...flags].filter(([name]) => !reserved.has(name) && !own.has(name))),
      onlyPlugins: value('only-plugins'),
      pluginProfile: value('plugin-profile'),
      enablePlugins: value('enable-plugins'),
      disablePlugins: value('disable-plugins'),
      ...admissionFlags(flags, catalogue),
      authorizationMode: value('authorization-mode'),
      authorizationConfig: value('authorization-config'),
      controllers: value('controllers'),
      cluster: value('cluster'),
      enableConsole: value('enable-console'),
      leaderElection: {
        ...configuration?.leaderElection,
        ...definedOf({
          leaseDuration: value<string>('leader-elect-lease-duration'),
          renewDeadline: value<string>('leader-elect-renew-deadline'),
          retryPeriod: value<string>('leader-elect-retry-period'),
        }),
      },
      featureGates: value('feature-gates'),
      runtimeConfig: value('runtime-config'),
      limits: limitsOfFlags(flags),
      corsAllowedOrigins: value('cors-allowed-origins'),
      cwd: terminal.cwd,
      catalogue,
    },
  };
}

/** What is said of one component adds to `info` for all. @throws UsageError */
function logLevelsOf(flag: readonly string[] | undefined, configured: string | undefined): string {
  const text = flag?.join(',') ?? configured ?? '';
  try {
    if (text !== '') parseLevels(text);
  } catch (error) {
    throw new UsageError(`--log-level ${(error as Error).message}`);
  }
  return text === '' ? 'info' : `info,${text}`;
}

/** The plugins that `--plugin` and `--config` bring, and the built-in ones. */
export async function readPlugins(args: readonly string[], terminal: Terminal) {
  const config = valuesOf(args, 'config').at(-1);
  const configuration = config === undefined ? undefined : await readConfiguration(config, terminal.cwd);
  const plugins = valuesOf(args, 'plugin')
    .flatMap((text) => text.split(','))
    .map((text) => text.trim());
  const catalogue = await PluginCatalogue.read({
    pluginRoots: [builtinPlugins],
    optionName,
    plugins: plugins.filter((text) => text !== ''),
    configuration,
    cwd: terminal.cwd,
  });
  const configurationFile = config === undefined ? undefined : resolve(terminal.cwd, config);
  if (configurationFile === undefined || configuration?.plugins === undefined) return {configuration, configurationFile, catalogue};
  // Which settings are paths is known only now.
  const located = locateSettings(configuration.plugins, catalogue.plugins, dirname(configurationFile));
  return {configuration: {...configuration, plugins: located}, configurationFile, catalogue};
}

/** The flags of all plugins, each name once: which of two plugins it belongs to is settled when it is known which take part. */
export function allPluginFlags(catalogue: PluginCatalogue): PluginFlag[] {
  const taken = new Set(serverFlags.map((flag) => flag.name));
  return catalogue.plugins.flatMap(({manifest}) => pluginFlags(manifest)).filter((flag) => !taken.has(flag.name) && taken.add(flag.name));
}

function valuesOf(args: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (const [index, argument] of args.entries()) {
    if (argument === '--') break;
    if (argument.startsWith(`--${name}=`)) values.push(argument.slice(name.length + 3));
    const next = args[index + 1];
    if (argument === `--${name}` && next !== undefined && !next.startsWith('--')) values.push(next);
  }
  return values;
}

function definedOf<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
