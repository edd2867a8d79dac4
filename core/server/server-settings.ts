import {resolve} from 'node:path';
import type {ElectionTimes} from '../../sdk/controllers/index.js';
import {CooperativeScheduler, type FlagFact, type Logger, type NamingProfile} from '../../sdk/index.js';
import type {AdmissionConfigurationFile} from '../configuration/admission-configuration-file.js';
import {electionTimes} from '../controllers/election-times.js';
import type {EncryptionAtRest} from '../encryption/encryption-at-rest.js';
import type {AllowedOrigins} from '../http/filters/check-origin.js';
import type {RequestLogSettings} from '../http/filters/log-requests.js';
import type {HttpLimits} from '../http/limits/http-limits.js';
import type {Kernel} from '../kernel/kernel.js';
import {KERNEL_VERSION} from '../kernel/kernel-version.js';
import type {LogLevels} from '../logs/log-levels.js';
import {advertiseAddress} from '../options/advertise-address.js';
import {allowedOrigins} from '../options/allowed-origins.js';
import {isCluster} from '../options/cluster-options.js';
import {limitsOf} from '../options/limit-options.js';
import {levelsOf, requestLogOf} from '../options/log-settings.js';
import {platformOf} from '../options/plugin-profiles.js';
import {resolveNaming} from '../options/resolve-naming.js';
import {resolveRelease} from '../options/resolve-release.js';
import {serverLog} from '../options/server-log.js';
import {defaultHistoryMillis, type ServerOptions} from '../options/server-options.js';
import type {AuditPolicy} from '../registry/audit/audit-policy.js';
import {MovableClock} from '../testing/movable-clock.js';
import {servingSettings, type ServingSettings} from '../tls/serving-options.js';
import type {TraceExport} from '../tracing/export/trace-export.js';
import {sharedLimits} from '../workers/shared-limits.js';
import type {WorkerPlace} from '../workers/worker-place.js';

/** The options of a server, resolved as far as that needs no plugins. */
export interface ResolvedOptions {
  /** What relative paths are relative to. */
  readonly cwd: string;
  readonly naming: NamingProfile;
  /** The release of Kubernetes whose API is served. */
  readonly release: string;
  /** Whether a store is served that a server of a newer release has written to. */
  readonly allowOlderRelease: boolean;
  /** Absolute path. */
  readonly dataDir: string;
  readonly store: string;
  readonly bindAddress: string;
  /** IP address at which others reach the server. */
  readonly advertiseAddress: string;
  readonly securePort: number;
  /** Undefined for a server of one process. */
  readonly place: WorkerPlace | undefined;
  readonly serving: ServingSettings;
  readonly historyMillis: number;
  /** Undefined when nothing is encrypted in the store. */
  readonly encryption: EncryptionAtRest | undefined;
  readonly limits: HttpLimits;
  readonly origins: AllowedOrigins;
  readonly priorityAndFairness: boolean;
  /** Of a server for tests. */
  readonly movableClock: MovableClock | undefined;
  /** Whether controllers of a cluster may run, which react to one another. */
  readonly isCluster: boolean;
  readonly strictPlugins: boolean;
  readonly strictAdmission: boolean;
  readonly election: ElectionTimes;
  /** Absolute path of the file that says which authorizers are asked; undefined where modes do. */
  readonly authorizationConfig: string | undefined;
  /** Undefined when no requests are recorded. */
  readonly auditPolicy: AuditPolicy | undefined;
  readonly scheduler: CooperativeScheduler;
  readonly logger: Logger;
  /** Least levels of what `logger` writes. */
  readonly logLevels: LogLevels;
  readonly requestLog: RequestLogSettings;
  /** Undefined when no traces are exported. */
  readonly traces: TraceExport | undefined;
}

/** The resolved options of a server. */
export interface ServerSettings extends ResolvedOptions {
  readonly admissionConfiguration: AdmissionConfigurationFile | undefined;
  /** `--runtime-config`: `GROUP/VERSION`, `GROUP/VERSION/RESOURCE` or `api/…` → whether it is served. */
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
  /** What all flags are set to, by name. */
  readonly flagValues: () => Readonly<Record<string, string>>;
  /** Likewise, and where each value comes from. */
  readonly flagFacts: () => Promise<readonly FlagFact[]>;
}

/** What the files are read with that options name. */
type Reading = Pick<ResolvedOptions, 'cwd' | 'logger' | 'naming'>;

/**
 * Reads the files that the options name, and fills in defaults.
 *
 * @throws KernelError with all problems of a file; Error in one sentence for what cannot be
 */
export async function resolveOptions(options: ServerOptions, place: WorkerPlace | undefined): Promise<ResolvedOptions> {
  const {configuration = {}} = options;
  const cwd = options.cwd ?? process.cwd();
  const naming = resolveNaming(platformOf(options), configuration.naming);
  const {logger: unfiltered, logLevel} = await serverLog(options);
  const logLevels = levelsOf(logLevel);
  const logger = logLevels.filter(unfiltered);
  const reading: Reading = {cwd, naming, logger};
  const bindAddress = options.bindAddress ?? configuration.bindAddress ?? '127.0.0.1';
  const strictPlugins = options.strictPlugins ?? configuration.strictPlugins ?? false;
  return {
    ...reading,
    release: resolveRelease(options.release ?? configuration.release, naming.name),
    allowOlderRelease: options.allowOlderRelease ?? configuration.allowOlderRelease ?? false,
    logLevels,
    dataDir: resolve(cwd, options.dataDir ?? configuration.dataDir ?? '.orch'),
    encryption: await encryptionOf(options, reading),
    store: options.store ?? configuration.store ?? 'embedded',
    bindAddress,
    advertiseAddress: advertiseAddress(options.advertiseAddress ?? configuration.advertiseAddress, bindAddress),
    securePort: options.securePort ?? configuration.securePort ?? 6443,
    serving: servingSettings({...configuration, ...definedOf(options)}, cwd),
    historyMillis: options.historyMillis ?? defaultHistoryMillis,
    place,
    limits: sharedLimits(limitsOf(options), place?.workers ?? 1),
    origins: await allowedOrigins(options.corsAllowedOrigins ?? configuration.corsAllowedOrigins ?? []),
    authorizationConfig: located(cwd, options.authorizationConfig ?? configuration.authorizationConfig),
    auditPolicy: await auditPolicyOf(options, reading),
    election: electionTimes(options.leaderElection ?? configuration.leaderElection ?? {}),
    movableClock: options.enableTestingApi ? new MovableClock() : undefined,
    isCluster: isCluster(options.cluster ?? configuration.cluster, options.flags),
    strictPlugins,
    strictAdmission: options.strictAdmission ?? configuration.strictAdmission ?? strictPlugins,
    requestLog: requestLogOf(options),
    traces: await tracesOf(options, reading),
    scheduler: new CooperativeScheduler(),
    priorityAndFairness: options.enablePriorityAndFairness ?? configuration.enablePriorityAndFairness ?? true,
  };
}

/** @throws KernelError with all problems of the file; Error if there is nothing to reload */
async function encryptionOf(options: ServerOptions, {cwd, naming, logger}: Reading): Promise<EncryptionAtRest | undefined> {
  const {configuration = {}} = options;
  const file = options.encryptionProviderConfig ?? configuration.encryptionProviderConfig;
  const automaticReload = options.encryptionProviderConfigAutomaticReload ?? configuration.encryptionProviderConfigAutomaticReload ?? false;
  if (file === undefined) {
    if (automaticReload) throw new Error('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
    return undefined;
  }
  // Most servers encrypt nothing and should not pay for it.
  const {EncryptionAtRest: Encryption} = await import('../encryption/encryption-at-rest.js');
  return Encryption.open({file: resolve(cwd, file), automaticReload, naming, logger: logger.child({part: 'encryption'})});
}

/** @throws KernelError with all problems of the file */
async function auditPolicyOf(options: ServerOptions, {cwd, naming}: Reading): Promise<AuditPolicy | undefined> {
  const file = options.auditPolicyFile ?? options.configuration?.auditPolicyFile;
  if (file === undefined) return undefined;
  const {readAuditPolicy} = await import('../audit/read-audit-policy.js');
  return readAuditPolicy(resolve(cwd, file), naming);
}

/** @throws KernelError with all problems of the file */
async function tracesOf(options: ServerOptions, {cwd, naming, logger}: Reading): Promise<TraceExport | undefined> {
  const file = options.tracingConfigFile ?? options.configuration?.tracingConfigFile;
  if (file === undefined) return undefined;
  // Most servers export no traces and should not pay for it.
  const [{readTracingConfiguration}, {TraceExport: Export}] = await Promise.all([
    import('../tracing/export/read-tracing-configuration.js'),
    import('../tracing/export/trace-export.js'),
  ]);
  return new Export(readTracingConfiguration(resolve(cwd, file), naming), KERNEL_VERSION, logger.child({part: 'tracing'}));
}

/** What admission controllers are configured with. @throws KernelError with all problems of the file */
export async function admissionConfigurationOf(
  options: ServerOptions,
  {cwd, naming}: Reading,
  {plugins}: Kernel,
): Promise<AdmissionConfigurationFile | undefined> {
  const file = options.admissionControlConfigFile ?? options.configuration?.admissionControlConfigFile;
  if (file === undefined) return undefined;
  const {AdmissionConfigurationFile: File} = await import('../configuration/admission-configuration-file.js');
  const known = plugins.flatMap(({manifest}) => (manifest.contributes?.admission ?? []).map(({name}) => name));
  return File.open(resolve(cwd, file), naming, known.toSorted());
}

function located(folder: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : resolve(folder, file);
}

/** What is given as undefined is not given: it does not hide what the configuration says. */
function definedOf(options: ServerOptions): ServerOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
