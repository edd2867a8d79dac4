import {join} from 'node:path';
import {systemClock} from '../../sdk/controllers/index.js';
import type {Store} from '../../sdk/index.js';
import {DisabledFields} from '../api/object-schema/disabled-fields.js';
import {buildCatalog} from '../catalog/build-catalog.js';
import {olderReleaseText} from '../catalog/older-release.js';
import {ControllerClients} from '../controllers/controller-clients.js';
import {outside} from '../controllers/controller-context.js';
import {AccessReview} from '../http/authorization/access-review.js';
import type {RequestFlowControl} from '../http/flow-control/request-flow-control.js';
import {verifyNode} from '../http/node/verify-node.js';
import type {Contribution} from '../kernel/contributions.js';
import type {Kernel} from '../kernel/kernel.js';
import {ensurePki, type Pki} from '../pki/ensure-pki.js';
import {AuditLog} from '../registry/audit/audit-log.js';
import {RegistryCache} from '../registry/local/registry-cache.js';
import {registerStorageMetrics, watchDelay} from '../registry/metrics/storage-metrics.js';
import {Registry} from '../registry/registry.js';
import {AdmissionChain} from '../registry/admission/admission-chain.js';
import {claimStore} from '../storage/claim-store.js';
import {RenewedStore} from '../storage/renewed-store.js';
import {Storage} from '../storage/storage.js';
import type {ServingCertificates} from '../tls/serving-certificates.js';
import {loopbackName} from '../tls/serving-options.js';
import type {Basics} from './basics.js';
import type {Closers} from './closers.js';
import {Endpoint} from './server-endpoint.js';
import {serviceAddresses} from '../options/service-addresses.js';
import type {ServerSettings} from './server-settings.js';
import {WebhookChain} from '../registry/webhook-chain.js';

/** What is there before plugins are constructed. */
export interface Prepared {
  readonly basics: Basics;
  readonly pki: Pki;
  /** Certificates that are not, or not only, the server's own; undefined when there are none. */
  readonly certificates: ServingCertificates | undefined;
  readonly store: Store;
  readonly storage: Storage;
  readonly renewed: RenewedStore;
  /** Takes no writes until its admission chain has the controllers of the plugins. */
  readonly registry: Registry;
  /** Answers once it has the authenticators and authorizers of the plugins. */
  readonly access: AccessReview;
  /** Undefined without an audit policy; records nothing until it has the sinks of the plugins. */
  readonly audit: AuditLog | undefined;
  /** Calls once it has the callers of the plugins. */
  readonly webhooks: WebhookChain;
  readonly flowControl: RequestFlowControl;
  readonly endpoint: Endpoint;
  readonly clients: ControllerClients;
}

/** What `prepare` needs of the server. */
export interface Ground {
  readonly kernel: Kernel;
  readonly settings: ServerSettings;
  readonly basics: Basics;
  readonly flowControl: RequestFlowControl;
  /** Gets what must be closed when the server stops. */
  readonly closers: Closers;
}

/** The first phase of a start: opens the store and makes storage, registry and access, while the plugins are imported. @throws Error in one sentence, or KernelError */
export async function prepare(ground: Ground, signal: AbortSignal): Promise<Prepared> {
  const {kernel, settings, basics, flowControl} = ground;
  const {logger, serving} = settings;
  const [pki, store] = await settleAll([openPki(ground), openStore(ground, signal), kernel.importPlugins(), verifyNode()]);
  signal.throwIfAborted();
  settings.admissionConfiguration?.warnOfUnused(logger);
  logger.info({store: store.durability}, 'store opened');
  const renewed = new RenewedStore(() => claimStore(store, settings.naming, settings.release), logger);
  const storage = openStorage(ground, store, renewed);
  await storage.start();
  const registry = buildRegistry(ground, storage);
  const audit = openAudit(ground);
  const certificates = serving.files ? await openCertificates(ground, pki) : undefined;
  const access = new AccessReview();
  return {
    basics,
    flowControl,
    pki,
    certificates,
    store,
    storage,
    renewed,
    registry,
    access,
    audit,
    webhooks: new WebhookChain(),
    endpoint: new Endpoint(settings.advertiseAddress, () => certificates?.material.ca.join('') ?? pki.caCertificate, settings.place),
    clients: clientsOf(ground, {registry, access, audit}),
  };
}

/** Waits for all, so that nothing is still being opened when the first failure is thrown. */
async function settleAll<T extends readonly unknown[]>(work: readonly [...{[K in keyof T]: Promise<T[K]>}]): Promise<T> {
  const outcomes = await Promise.allSettled(work as readonly Promise<unknown>[]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

function openPki({kernel, settings}: Ground): Promise<Pki> {
  const {dataDir, bindAddress, advertiseAddress, naming, serving} = settings;
  return ensurePki(join(dataDir, 'pki'), {
    bindAddress,
    platform: naming.name,
    extraNames: [advertiseAddress, ...serviceAddresses(kernel.plugins), ...(serving.files ? [loopbackName] : [])],
    ...(serving.files ? {servingFolder: serving.certDir} : {}),
  });
}

async function openStore({kernel, settings, closers}: Ground, signal: AbortSignal): Promise<Store> {
  const {store: url, dataDir, historyMillis, movableClock, naming, release, allowOlderRelease, logger} = settings;
  const provider = await kernel.storeProvider(url);
  const opened = await provider.open({url, dataDir, historyMillis}, signal);
  closers.add(() => opened.close());
  const store = movableClock ? new (await import('../testing/store-faults.js')).StoreFaults(opened) : opened;
  const found = await claimStore(store, naming, release);
  if (found !== release) {
    const resources = kernel.resources().map(({definition}) => definition);
    const text = await olderReleaseText(store, {found, release, naming, resources});
    if (!allowOlderRelease) throw new Error(`${text}. Start it with --release ${found}, or with --allow-older-release if that is wanted`);
    logger.warn({release, newest: found}, text);
  }
  return store;
}

function openStorage({settings, basics, closers}: Ground, store: Store, renewed: RenewedStore): Storage {
  const {historyMillis, limits, encryption, movableClock, scheduler, logger} = settings;
  const storage = new Storage(store, {
    onNewHistory: renewed.renewed,
    historyMillis,
    maximumQueuedBytes: limits.maxUnsentBytesPerConnection,
    maximumHistoryBytes: limits.maxHistoryBytes,
    encryption: encryption?.values,
    watchDelay: watchDelay(basics.metrics),
    ahead: () => movableClock?.ahead ?? 0,
    scheduler,
    logger: logger.child({part: 'storage'}),
  });
  closers.add(() => storage.stop());
  return storage;
}

/** The types of the plugins over a storage. @throws Error as `buildCatalog` does; KernelError for an encryption that does not fit the types */
function buildRegistry({kernel, settings, basics}: Ground, storage: Storage): Registry {
  const {naming, release, runtimeConfig, strictAdmission: strict, limits, movableClock, encryption} = settings;
  const catalog = buildCatalog({
    resources: kernel.resources(),
    naming,
    release,
    featureGates: kernel.featureGates,
    schemas: basics.schemas,
    runtimeConfig,
    admission: kernel.admission,
    strategyOf: (plugin, className) => find(kernel.contributions.strategies, plugin, className),
    handlerOf: (plugin, className) => find(kernel.contributions.virtualResources, plugin, className),
  });
  const admission = new AdmissionChain(naming, {events: basics.admissionEvents, strict});
  const clock = movableClock ? {clock: () => movableClock.now()} : {};
  const registry = new Registry(catalog, storage, admission, {
    naming,
    maximumObjectBytes: limits.maxObjectBytes,
    disabledFields: ({schema: {reference}}) =>
      reference === undefined ? undefined : DisabledFields.of(basics.schemas, reference, kernel.featureGates),
    isEnabled: (gate) => kernel.featureGates.enabled(gate),
    ...clock,
  });
  registerStorageMetrics(basics.metrics, registry);
  encryption?.start(catalog, () => storage.rereadUnreadable());
  return registry;
}

function find<T extends object>(contributions: readonly Contribution<T>[], plugin: string, className: string): T | undefined {
  return contributions.find((entry) => entry.plugin === plugin && entry.class === className)?.instance;
}

function openAudit({settings, closers}: Ground): AuditLog | undefined {
  const {auditPolicy: policy, naming, logger} = settings;
  if (!policy) return undefined;
  const audit = new AuditLog({policy, naming, logger: logger.child({part: 'audit'})});
  closers.add(() => audit.close());
  return audit;
}

async function openCertificates({settings, closers}: Ground, pki: Pki): Promise<ServingCertificates> {
  // Most servers have their own certificates only and should not pay for it.
  const {ServingCertificates: Certificates} = await import('../tls/serving-certificates.js');
  const {servingCertificate: cert, servingKey: key, caCertificate: ca} = pki;
  const certificates = await Certificates.open(settings.serving, {cert, key, ca}, settings.logger.child({part: 'certificates'}));
  closers.add(() => certificates.stop());
  return certificates;
}

function clientsOf(
  {kernel, settings}: Ground,
  {registry, access, audit}: Pick<Prepared, 'registry' | 'access' | 'audit'>,
): ControllerClients {
  const {naming, movableClock, scheduler, logger} = settings;
  // What allows something to others than members of `system:masters`.
  const knowsAccounts = [...kernel.authorizerPlugins].some((name) => name !== 'masters');
  return new ControllerClients(naming, {
    local: {registry, audit, clock: movableClock ?? systemClock, scheduler, outside},
    cache: new RegistryCache(registry, naming),
    knowsAccounts,
    decide: (attributes) => access.decide(attributes),
    isDeciding: () => kernel.hasStarted('services'),
    manifestOf: (plugin) => kernel.plugins.find(({name}) => name === plugin)!.manifest,
    logger: logger.child({part: 'controllers'}),
  });
}
