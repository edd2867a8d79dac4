import {join} from 'node:path';
import type {Client} from '../../sdk/client/client.js';
import type {ServerEndpoint, ServerPaths, Store, WebhookCaller} from '../../sdk/index.js';
import {answerMemory} from '../../sdk/https/answer-memory.js';
import {SchemaCatalog} from '../api/schema/schema-catalog.js';
import type {AccessReview} from '../http/authentication/access-review.js';
import {RequestFlowControl} from '../http/flow-control/request-flow-control.js';
import type {HttpFigures} from '../http/http-figures.js';
import type {HttpServer} from '../http/server.js';
import type {Kernel} from '../kernel/kernel.js';
import type {Contributions} from '../kernel/contributions.js';
import {AdmissionBroadcast} from '../registry/write/admission-events.js';
import type {AuditLog} from '../registry/audit/audit-log.js';
import type {TextForm} from '../metrics/metric-family.js';
import {MetricRegistry} from '../metrics/metric-registry.js';
import type {Registry} from '../registry/registry.js';
import {Storage} from '../storage/storage.js';
import {AdminAccess} from './admin-access.js';
import {buildAuditLog} from './build-audit-log.js';
import {buildHttp} from './build-http.js';
import {buildRegistry} from './build-registry.js';
import {claimStore} from '../storage/claim-store.js';
import {RenewedStore} from '../storage/renewed-store.js';
import type {ControllerClients} from '../controllers/controller-clients.js';
import {ControllerRunner} from '../controllers/controller-runner.js';
import {endpointOf} from './server-endpoint.js';
import {settleAll} from './settle-all.js';
import {serviceAddresses} from './service-addresses.js';
import {checkedContributions} from '../plugin-checks/check-admission.js';
import type {ServerSettings} from './server-settings.js';
import {webhookChain} from './webhook-chain.js';
import {AdmissionFigures} from '../registry/metrics/admission-figures.js';
import {tellAudit} from '../registry/metrics/audit-metrics.js';
import {tellStorage, watchDelay} from '../registry/metrics/storage-metrics.js';
import {ensurePki, type Pki} from '../pki/ensure-pki.js';
import type {StoreFaults} from '../testing/store-faults.js';
import type {TestingApi} from '../testing/testing-api.js';
import type {ServingCertificates} from '../tls/serving-certificates.js';
import {loopbackName} from '../tls/serving-options.js';
import {closeDataFolder} from '../pki/private-data-folder.js';

/** Requests in flight get this long to finish when the server stops. */
const drainMillis = 10_000;

type State = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/** One API server: what `orch serve` runs, what tests start in their own process. */
export class Server {
  readonly paths: ServerPaths;
  readonly schemas: SchemaCatalog;
  readonly flowControl: RequestFlowControl;
  readonly admissionEvents = new AdmissionBroadcast();
  /** What the server tells of itself at `/metrics`. */
  readonly metrics: MetricRegistry;
  #state: State = 'new';
  #store: Store | undefined;
  #storage: Storage | undefined;
  #renewed: RenewedStore | undefined;
  #registry: Registry | undefined;
  #access: AccessReview | undefined;
  #areServicesStarted = false;
  #webhooks: WebhookCaller | undefined;
  #http: HttpServer | undefined;
  #pki: Pki | undefined;
  #certificates: ServingCertificates | undefined;
  #audit: AuditLog | undefined;
  #controllers: ControllerRunner | undefined;
  #testing: TestingApi | undefined;
  #port = 0;
  readonly #endpoint: ServerEndpoint;
  #stopping: Promise<void> | undefined;

  readonly #kernel: Kernel;
  readonly #settings: ServerSettings;
  readonly #controllerClients: ControllerClients;
  readonly #admin: AdminAccess;

  constructor(kernel: Kernel, settings: ServerSettings, controllerClients: ControllerClients) {
    this.#kernel = kernel;
    this.#settings = settings;
    this.#controllerClients = controllerClients;
    this.#admin = new AdminAccess(settings);

    this.schemas = new SchemaCatalog(settings.naming);
    const {naming, limits, logger, priorityAndFairness} = settings;
    answerMemory.total = limits.maxAnswerBytesInAll;
    this.metrics = new MetricRegistry(logger.child({part: 'metrics'}));
    settings.traces?.tell(this.metrics);
    this.admissionEvents.listen(new AdmissionFigures(this.metrics));
    this.flowControl = new RequestFlowControl({
      metrics: this.metrics,
      enabled: priorityAndFairness && kernel.featureGates.enabled('APIPriorityAndFairness'),
      seats: limits.maxRequestsInflight + limits.maxMutatingRequestsInflight,
      headerPrefix: naming.headerPrefix,
      logger: logger.child({part: 'flow-control'}),
    });
    this.#endpoint = endpointOf(
      settings.advertiseAddress,
      () => this.#port,
      () => this.#certificates?.material.ca.join('') ?? this.#pki?.caCertificate ?? '',
      settings.place,
    );
    const pki = join(settings.dataDir, 'pki');
    this.paths = {dataDir: settings.dataDir, clientCaFile: join(pki, 'ca.crt'), clientCaKeyFile: join(pki, 'ca.key')};
  }

  /** `https://HOST:PORT`; known once the server runs. */
  get url(): string {
    return this.#admin.urlAt(this.#port);
  }

  /** Where others reach the server, and whom it trusts. */
  get endpoint(): ServerEndpoint {
    return this.#endpoint;
  }

  /** Path of the administrator's client configuration file. */
  get kubeconfig(): string {
    return this.#admin.kubeconfig;
  }

  /** A client with the administrator's certificate, the same at each call; closed when the server stops. @throws Error unless the server runs */
  get client(): Client {
    if (this.#state !== 'running' || !this.#pki) throw new Error(`the server is ${this.#state}: its client can be used while it runs`);
    return this.#admin.clientOf(this.url, this.#pki);
  }

  /** Undefined until types, storage and admission are put together. */
  get registry(): Registry | undefined {
    return this.#registry;
  }

  /** What the server can tell about itself; undefined until it listens. */
  get figures(): HttpFigures | undefined {
    return this.#http?.figures;
  }

  /** What a server for tests has; undefined on others, and as `registry` is. */
  get testing(): TestingApi | undefined {
    return this.#testing;
  }

  /** What records requests; undefined where nothing does, and as `registry` is. */
  get audit(): AuditLog | undefined {
    return this.#audit;
  }

  /** What answers reviews; undefined as `registry` is. */
  get access(): AccessReview | undefined {
    return this.#access;
  }

  /** Whether everything but controllers has been started, authorizers among it. */
  get areServicesStarted(): boolean {
    return this.#areServicesStarted;
  }

  /** What calls webhooks; undefined as `registry` is. */
  get webhooks(): WebhookCaller | undefined {
    return this.#webhooks;
  }

  /**
   * For programs that own their process: called with an error that nothing caught, in the context in which it was thrown. Lines of the log with it name the plugin from then
   * on whose code it came out of.
   *
   * @returns whether it was a controller's; that one is started again, and the server goes on
   */
  contain(error: unknown): boolean {
    this.#kernel.claim(error);
    return this.#controllers?.contain(error) ?? false;
  }

  /**
   * Opens the store, brings up the plugins and listens. Resolves when requests are answered.
   *
   * @throws Error in one sentence (port in use, store away, …) or KernelError; what was started is stopped then
   */
  async start(signal?: AbortSignal): Promise<void> {
    if (this.#state !== 'new') throw new Error('a server can be started once');
    this.#state = 'starting';
    try {
      await this.#startAll(signal ?? new AbortController().signal);
      this.#state = 'running';
    } catch (error) {
      await this.stop().catch((failure: unknown) => this.#settings.logger.error({err: failure}, 'stopping after a failed start failed'));
      throw error;
    }
  }

  /** What this process tells of itself, in a form of `/metrics`. */
  async metricsText(form: TextForm): Promise<string> {
    const {metricsOf} = await import('../http/metrics/serve-metrics.js');
    return Buffer.concat(await metricsOf(this.metrics, form, this.#settings.scheduler.task('request', 'metrics'))).toString();
  }

  /**
   * Stops, while another process goes on in its place: clients get the time to come back to that one. No request is lost, unless a connection that was
   * idle for all of `graceMillis` is used in the moment in which it is closed.
   */
  async retire(graceMillis: number): Promise<void> {
    await this.#http?.retire(graceMillis);
    await this.stop();
  }

  /** Lets requests in flight finish, stops the plugins in reverse order, closes the store. Repeated calls share one stop. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stopAll());
  }

  async #startAll(signal: AbortSignal): Promise<void> {
    const {dataDir, bindAddress, advertiseAddress, naming, encryption, admissionConfiguration, serving, logger} = this.#settings;
    closeDataFolder(dataDir, logger);
    const [pki, store, contributions] = await settleAll([
      ensurePki(join(dataDir, 'pki'), {
        bindAddress,
        platform: naming.name,
        extraNames: [advertiseAddress, ...serviceAddresses(this.#kernel.plugins), ...(serving.files ? [loopbackName] : [])],
        ...(serving.files ? {servingFolder: serving.certDir} : {}),
      }),
      this.#openStore(signal),
      checkedContributions(this.#kernel, logger),
    ]);
    signal.throwIfAborted();
    admissionConfiguration?.warnOfUnused(logger);
    this.#pki = pki;
    logger.info({store: store.durability}, 'store opened');
    this.#renewed = new RenewedStore(store, [this.#kernel, {bootstrap: async () => this.#controllers?.bootstrap()}], naming, logger);
    const storage = new Storage(store, {
      onNewHistory: this.#renewed.renewed,
      historyMillis: this.#settings.historyMillis,
      maximumQueuedBytes: this.#settings.limits.maxUnsentBytesPerConnection,
      maximumHistoryBytes: this.#settings.limits.maxHistoryBytes,
      encryption: encryption?.values,
      watchDelay: watchDelay(this.metrics),
      ahead: () => this.#settings.movableClock?.ahead ?? 0,
      scheduler: this.#settings.scheduler,
      logger: logger.child({part: 'storage'}),
    });
    this.#storage = storage;
    await storage.start();
    this.#audit = buildAuditLog(contributions, this.#settings);
    if (this.#audit) tellAudit(this.metrics, () => this.#audit!.figures);
    this.#registry = buildRegistry(contributions, {
      kernel: this.#kernel,
      settings: this.#settings,
      schemas: this.schemas,
      storage,
      admissionEvents: this.admissionEvents,
    });
    await this.#openTesting(storage, this.#registry);
    tellStorage(this.metrics, this.#registry);
    encryption?.start(this.#registry.catalog, () => storage.rereadUnreadable());
    this.#webhooks = webhookChain(contributions.webhookCallers);
    this.#certificates = await this.#openCertificates(pki);
    const {server, access} = buildHttp(contributions, {
      settings: this.#settings,
      featureGates: this.#kernel.featureGates,
      registry: this.#registry,
      schemas: this.schemas,
      flowControl: this.flowControl.enabled ? this.flowControl : undefined,
      audit: this.#audit,
      metrics: this.metrics,
      testingRoutes: this.#testing?.routes ?? [],
      pki,
      certificates: this.#certificates?.material,
      checkStore: () => store.ping(),
      checkRunning: () => this.#checkRunning(),
    });
    this.#http = server;
    this.#access = access;
    await this.#kernel.start('services', signal);
    this.#areServicesStarted = true;
    this.#controllers = this.#buildControllers(contributions, store);
    await this.#controllers.check(signal);
    this.flowControl.start();
    this.#port = await this.#http.listen();
    this.#certificates?.start((material) => this.#http!.replaceCertificates(material));
    await this.#admin.writeKubeconfig(this.url, pki);
    await this.#controllers.start();
    logger.info({url: this.url, platform: naming.name}, 'ready');
    // Not waited for: the server is ready before it leads.
    void this.#controllers.lead();
  }

  /** Certificates that are not, or not only, the server's own; undefined when there are none. */
  async #openCertificates(pki: Pki): Promise<ServingCertificates | undefined> {
    const {serving, logger} = this.#settings;
    if (!serving.files) return undefined;
    // Most servers have their own certificates only and should not pay for it.
    const {ServingCertificates: Certificates} = await import('../tls/serving-certificates.js');
    const {servingCertificate: cert, servingKey: key, caCertificate: ca} = pki;
    return Certificates.open(serving, {cert, key, ca}, logger.child({part: 'certificates'}));
  }

  async #openTesting(storage: Storage, {catalog}: Registry): Promise<void> {
    const {movableClock: clock, naming, logger} = this.#settings;
    if (!clock) return;
    const {TestingApi: Api} = await import('../testing/testing-api.js');
    const cutWatches = () => this.#http?.cutWatches();
    this.#testing = new Api({store: this.#store as StoreFaults, storage, catalog, naming, clock, cutWatches});
    logger.warn({}, 'the testing API is on: whoever may post to /orch/testing changes objects past admission');
  }

  async #openStore(signal: AbortSignal): Promise<Store> {
    const {store: url, dataDir, historyMillis, movableClock} = this.#settings;
    const provider = await this.#kernel.storeProvider(url);
    const store = await provider.open({url, dataDir, historyMillis}, signal);
    this.#store = movableClock ? new (await import('../testing/store-faults.js')).StoreFaults(store) : store;
    await claimStore(this.#store, this.#settings.naming);
    return this.#store;
  }

  #buildControllers({controllers}: Contributions, store: Store): ControllerRunner {
    const {naming, election, logger} = this.#settings;
    return new ControllerRunner({
      controllers,
      gate: (name) => this.#controllerClients.gate(name),
      store,
      resources: this.#controllerClients.leases,
      naming,
      times: election,
      logger: logger.child({part: 'controllers'}),
    });
  }

  #checkRunning(): void {
    if (this.#state !== 'running') throw new Error(`the server is ${this.#state}`);
  }

  /** Controllers stop while requests are still answered; then the listener and the watches; when the last request has been answered, the store. */
  async #stopAll(): Promise<void> {
    this.#state = 'stopping';
    const failures: unknown[] = [];
    const attempt = (work: Promise<void> | undefined) => work?.catch((error: unknown) => failures.push(error));
    await attempt(this.#renewed?.stop());
    await attempt(this.#controllers?.stop());
    await attempt(this.#kernel.stop());
    const closed = this.#http?.close(drainMillis);
    this.#storage?.endWatches();
    this.#admin.close();
    await attempt(closed);
    await attempt(this.#audit?.close());
    await attempt(this.#settings.traces?.close());
    await attempt(this.#settings.encryption?.stop());
    await attempt(this.#certificates?.stop());
    this.flowControl.stop();
    await attempt(this.#storage?.stop());
    await attempt(this.#store?.close());
    this.#state = 'stopped';
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'the server did not stop cleanly');
  }
}
