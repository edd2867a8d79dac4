import {resolve} from 'node:path';
import type {InjectionToken} from 'tsyringe';
import {
  CooperativeScheduler,
  Tokens,
  type AccessReviewer,
  type AdmissionConfigurations,
  type AggregatedVersions,
  type ApiVersions,
  type Logger,
  type NamingProfile,
  type Tracing,
  type WebhookCaller,
} from '../../sdk/index.js';
import type {ControllerValueFactory, ValueFactory} from '../kernel/construction/plugin-container.js';
import {resolveLimits} from '../http/limits/resolve-limits.js';
import {Kernel} from '../kernel/kernel.js';
import {defaultHistoryMillis, type ServerOptions} from '../options/server-options.js';
import {KernelError} from '../kernel/kernel-error.js';
import type {AuditPolicy} from '../registry/audit/audit-policy.js';
import type {Registry} from '../registry/registry.js';
import {RegistryCache} from '../registry/local/registry-cache.js';
import type {AdmissionConfigurationFile} from '../configuration/admission-configuration-file.js';
import {KERNEL_VERSION} from '../kernel/kernel-version.js';
import {levelsOf, requestLogOf} from '../options/log-settings.js';
import type {TraceExport} from '../tracing/export/trace-export.js';
import {ControllerClients, declaredAccounts} from '../controllers/controller-clients.js';
import {outside} from '../controllers/controller-context.js';
import {electionTimes} from '../controllers/election-times.js';
import {systemClock} from '../../sdk/controllers/index.js';
import {MovableClock} from '../testing/movable-clock.js';
import {advertiseAddress} from '../options/advertise-address.js';
import {allowedOrigins} from '../options/allowed-origins.js';
import {isVersionEnabled} from '../catalog/build-catalog.js';
import type {EncryptionAtRest} from '../encryption/encryption-at-rest.js';
import {kernelOptions} from '../options/kernel-options.js';
import {RuntimeTypes} from '../catalog/runtime-types.js';
import {ServerExpressions} from '../catalog/server-expressions.js';
import {SchemaChecks} from '../catalog/schema-checks.js';
import {Server} from './server.js';
import type {ServerSettings} from './server-settings.js';
import {sharedLimits} from '../workers/shared-limits.js';
import type {WorkerPlace} from '../workers/worker-place.js';
import {servingSettings} from '../tls/serving-options.js';
import {platformOf} from '../options/plugin-profiles.js';
import {resolveNaming} from '../options/resolve-naming.js';
import {serverLog} from '../options/server-log.js';

export type {ServerOptions} from '../options/server-options.js';
export type {Server} from './server.js';

/**
 * Creates a server, checking everything that can be checked without starting it. One process may have several.
 *
 * @param place for a server that is one of several processes
 * @throws KernelError with all problems of plugins, configuration and flags; Error in one sentence for an unknown platform and for limits that cannot be
 */
export async function createServer(options: ServerOptions = {}, place?: WorkerPlace): Promise<Server> {
  const {configuration = {}} = options;
  const cwd = options.cwd ?? process.cwd();
  const naming = resolveNaming(platformOf(options), configuration.naming);
  const {logger: unfiltered, logLevel} = await serverLog(options);
  const logLevels = levelsOf(logLevel);
  const logger = logLevels.filter(unfiltered);
  const dataDir = resolve(cwd, options.dataDir ?? configuration.dataDir ?? '.orch');
  const bindAddress = options.bindAddress ?? configuration.bindAddress ?? '127.0.0.1';
  const strictPlugins = options.strictPlugins ?? configuration.strictPlugins ?? false;
  const movableClock = options.enableTestingApi ? new MovableClock() : undefined;
  const scheduler = new CooperativeScheduler();
  const settings: Omit<ServerSettings, 'admissionConfiguration' | 'runtimeConfig'> = {
    naming,
    dataDir,
    encryption: await encryptionOf(options, cwd, naming, logger),
    store: options.store ?? configuration.store ?? 'embedded',
    bindAddress,
    advertiseAddress: advertiseAddress(options.advertiseAddress ?? configuration.advertiseAddress, bindAddress),
    securePort: options.securePort ?? configuration.securePort ?? 6443,
    serving: servingSettings({...configuration, ...definedOf(options)}, cwd),
    historyMillis: options.historyMillis ?? defaultHistoryMillis,
    place,
    limits: sharedLimits(resolveLimits({...configuration.limits, ...options.limits}), place?.workers ?? 1),
    origins: await allowedOrigins(options.corsAllowedOrigins ?? configuration.corsAllowedOrigins ?? []),
    auditPolicy: await auditPolicyOf(options, cwd, naming),
    election: electionTimes(options.leaderElection ?? configuration.leaderElection ?? {}),
    movableClock,
    strictAdmission: options.strictAdmission ?? configuration.strictAdmission ?? strictPlugins,
    logLevels,
    requestLog: requestLogOf(options),
    traces: await tracesOf(options, cwd, naming, logger),
    scheduler,
    priorityAndFairness: options.enablePriorityAndFairness ?? configuration.enablePriorityAndFairness ?? true,
    logger,
  };
  const webhooks = lateWebhooks(() => running(late.server).webhooks!);
  // Plugins inject these in their constructors, before the server has the objects behind them.
  const late: {server?: Server; admission?: AdmissionConfigurationFile | undefined} = {};
  const clock = movableClock ?? systemClock;
  const local = {registry: () => late.server?.registry, audit: () => late.server?.audit, clock, scheduler, outside};
  const cache = () => new RegistryCache(() => running(late.server).registry!, naming);
  const clients = new ControllerClients(naming, {
    local,
    cache,
    // What allows something to others than members of `system:masters`.
    knowsAccounts: () => [...kernel.authorizerPlugins].some((name) => name !== 'masters'),
    decide: (attributes) => running(late.server).access!.decide(attributes),
    isDeciding: () => late.server?.areServicesStarted ?? false,
    manifestOf: (plugin) => kernel.plugins.find(({name}) => name === plugin)!.manifest,
    logger: logger.child({part: 'controllers'}),
  });
  const {runtimeConfig, ...selection} = kernelOptions({...options, cwd, naming});
  const kernel: Kernel = await Kernel.load({
    ...selection,
    logger,
    hooks: {slowMillis: settings.requestLog.slowMillis, strict: strictPlugins, returned: (hook, millis) => scheduler.called(hook, millis)},
    values: new Map<InjectionToken, ValueFactory>([
      [Tokens.Naming, () => naming],
      [Tokens.Paths, () => late.server?.paths],
      [Tokens.Endpoint, () => late.server?.endpoint],
      [
        Tokens.ResourceTypes,
        (plugin: string) =>
          new RuntimeTypes(() => ({registry: running(late.server).registry!, schemas: late.server!.schemas, naming}), plugin),
      ],
      [Tokens.ObjectCache, (plugin: string) => clients.pluginCache(plugin)],
      [Tokens.AggregatedVersions, () => lateVersions(() => running(late.server).registry!)],
      [Tokens.Schemas, (plugin: string) => new SchemaChecks(() => late.server!.schemas, scheduler.of(plugin))],
      [Tokens.Expressions, () => new ServerExpressions(() => late.server!.schemas)],
      [Tokens.Access, () => lateAccess(() => running(late.server).access!)],
      [Tokens.DeclaredAccounts, () => declaredAccounts(kernel.plugins)],
      [Tokens.AdmissionConfigurations, () => late.admission ?? noAdmissionConfigurations],
      [
        Tokens.ApiVersions,
        () => ({isEnabled: (group, version) => isVersionEnabled(runtimeConfig, naming.group(group), version)}) satisfies ApiVersions,
      ],
      [Tokens.AdmissionEvents, () => late.server?.admissionEvents],
      [Tokens.Clock, () => clock],
      [Tokens.Scheduler, (plugin: string) => scheduler.of(plugin)],
      [Tokens.Metrics, () => late.server?.metrics],
      [Tokens.Tracing, () => settings.traces?.tracer ?? noTracing],
      [Tokens.FlowControl, () => late.server?.flowControl],
      [Tokens.Webhooks, () => settings.traces?.webhooks(webhooks) ?? webhooks],
      [Tokens.Resources, (plugin: string) => clients.pluginClient(plugin)],
    ]),
    controllerValues: new Map<InjectionToken, ControllerValueFactory>([
      [Tokens.Resources, (plugin, controller) => clients.client(plugin, controller)],
      [Tokens.ObjectCache, (plugin, controller) => clients.cache(plugin, controller)],
      [Tokens.Logger, (plugin, controller) => logger.child({plugin, controller: controller.name})],
    ]),
  });
  kernel.storeOwner(settings.store);
  await checkPlugins(kernel, naming);
  late.admission = await admissionConfigurationOf(options, cwd, naming, kernel);
  late.server = new Server(kernel, {...settings, runtimeConfig, admissionConfiguration: late.admission}, clients);
  return late.server;
}

/**
 * Those that come with the server were checked when it was built.
 *
 * @throws KernelError with everything that is wrong with the types, routes and permissions of other plugins
 */
async function checkPlugins({plugins}: Kernel, naming: NamingProfile): Promise<void> {
  const enabled = plugins.filter((plugin) => plugin.enabled);
  const others = enabled.filter(({source}) => source !== 'root');
  if (others.length === 0) return;
  const {contributionProblems} = await import('../plugin-checks/check-contributions.js');
  KernelError.throwIfAny(contributionProblems(others, enabled, naming));
}

/** @throws KernelError with all problems of the file; Error if there is nothing to reload */
async function encryptionOf(
  options: ServerOptions,
  cwd: string,
  naming: NamingProfile,
  logger: Logger,
): Promise<EncryptionAtRest | undefined> {
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
async function auditPolicyOf(
  {auditPolicyFile, configuration = {}}: ServerOptions,
  cwd: string,
  naming: NamingProfile,
): Promise<AuditPolicy | undefined> {
  const file = auditPolicyFile ?? configuration.auditPolicyFile;
  if (file === undefined) return undefined;
  const {readAuditPolicy} = await import('../audit/read-audit-policy.js');
  return readAuditPolicy(resolve(cwd, file), naming);
}

/** @throws KernelError with all problems of the file */
async function tracesOf(
  {tracingConfigFile, configuration = {}}: ServerOptions,
  cwd: string,
  naming: NamingProfile,
  logger: Logger,
): Promise<TraceExport | undefined> {
  const file = tracingConfigFile ?? configuration.tracingConfigFile;
  if (file === undefined) return undefined;
  // Most servers export no traces and should not pay for it.
  const [{readTracingConfiguration}, {TraceExport: Export}] = await Promise.all([
    import('../tracing/export/read-tracing-configuration.js'),
    import('../tracing/export/trace-export.js'),
  ]);
  return new Export(readTracingConfiguration(resolve(cwd, file), naming), KERNEL_VERSION, logger.child({part: 'tracing'}));
}

/** @throws KernelError with all problems of the file */
async function admissionConfigurationOf(
  {admissionControlConfigFile, configuration = {}}: ServerOptions,
  cwd: string,
  naming: NamingProfile,
  {plugins}: Kernel,
): Promise<AdmissionConfigurationFile | undefined> {
  const file = admissionControlConfigFile ?? configuration.admissionControlConfigFile;
  if (file === undefined) return undefined;
  const {AdmissionConfigurationFile: File} = await import('../configuration/admission-configuration-file.js');
  const known = plugins.flatMap(({manifest}) => (manifest.contributes?.admission ?? []).map(({name}) => name));
  return File.open(resolve(cwd, file), naming, known.toSorted());
}

/** What is given as undefined is not given: it does not hide what the configuration says. */
function definedOf(options: ServerOptions): ServerOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const noTracing: Tracing = {traceparent: undefined, span: (_name, _attributes, work) => work()};

const noAdmissionConfigurations: AdmissionConfigurations = {get: () => undefined};

/** What plugins use from `start` on exists by then. */
function running(server: Server | undefined): Server {
  if (!server?.registry) throw new Error('the server is not ready yet: use it from start on, not in constructors');
  return server;
}

function lateAccess(access: () => AccessReviewer): AccessReviewer {
  return {
    authorize: (attributes) => access().authorize(attributes),
    rulesFor: (user, namespace) => access().rulesFor(user, namespace),
    authenticateToken: (token, audiences) => access().authenticateToken(token, audiences),
  };
}

function lateVersions(registry: () => Registry): AggregatedVersions {
  return {
    set: (version) => registry().catalog.setAggregated(version),
    delete: (group, version) => registry().catalog.deleteAggregated(group, version),
    all: () => registry().catalog.allAggregated(),
  };
}

function lateWebhooks(caller: () => WebhookCaller): WebhookCaller {
  return {call: async (target, review, signal) => caller().call(target, review, signal)};
}
