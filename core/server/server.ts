import type {Client} from '../../sdk/client/client.js';
import {answerMemory} from '../../sdk/https/answer-memory.js';
import type {Logger, ServerPaths} from '../../sdk/index.js';
import {ControllerRunner} from '../controllers/controller-runner.js';
import {RequestFlowControl} from '../http/flow-control/request-flow-control.js';
import type {NamedAuthorizer} from '../http/authorization/authorization.js';
import type {HttpFigures} from '../http/http-figures.js';
import type {HttpServer} from '../http/server.js';
import type {Contributions} from '../kernel/contributions.js';
import type {Kernel} from '../kernel/kernel.js';
import type {TextForm} from '../metrics/metric-family.js';
import type {MetricRegistry} from '../metrics/metric-registry.js';
import {closeDataFolder} from '../pki/private-data-folder.js';
import {checkContributions} from '../plugin-checks/check-admission.js';
import type {Registry} from '../registry/registry.js';
import {closeUnused} from '../registry/audit/audit-log.js';
import {registerAuditMetrics} from '../registry/metrics/audit-metrics.js';
import type {StoreFaults} from '../testing/store-faults.js';
import type {TestingApi} from '../testing/testing-api.js';
import {AdminAccess} from './admin-access.js';
import type {Basics} from './basics.js';
import {buildHttp, type HttpParts} from './build-http.js';
import {Closers} from './closers.js';
import {healthChecks} from './health-checks.js';
import {serverValues} from './plugin-values.js';
import {prepare, type Prepared} from './prepare.js';
import type {ServerSettings} from './server-settings.js';

/** Requests in flight get this long to finish when the server stops. */
const drainMillis = 10_000;

type State = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/** What a server consists of once it is put together. */
interface Parts extends Prepared {
  readonly http: HttpServer;
  readonly controllers: ControllerRunner;
  /** Undefined but for servers of tests. */
  readonly testing: TestingApi | undefined;
}

/** One API server: what `orch serve` runs, what tests start in their own process. */
export class Server {
  #state: State = 'new';
  #parts: Parts | undefined;
  #stopping: Promise<void> | undefined;
  readonly #closers = new Closers();
  readonly #flowControl: RequestFlowControl;
  readonly #admin: AdminAccess;
  readonly #logger: Logger;
  readonly #kernel: Kernel;
  readonly #settings: ServerSettings;
  readonly #basics: Basics;

  /** @throws Error in one sentence for limits that leave no seat for requests */
  constructor(kernel: Kernel, settings: ServerSettings, basics: Basics) {
    this.#kernel = kernel;
    this.#settings = settings;
    this.#basics = basics;
    this.#logger = settings.logger;
    this.#admin = new AdminAccess(settings);
    const {naming, limits, logger, priorityAndFairness, traces, encryption} = settings;
    answerMemory.total = limits.maxAnswerBytesInAll;
    this.#flowControl = new RequestFlowControl({
      metrics: basics.metrics,
      enabled: priorityAndFairness && kernel.featureGates.enabled('APIPriorityAndFairness'),
      seats: limits.maxRequestsInflight + limits.maxMutatingRequestsInflight,
      headerPrefix: naming.headerPrefix,
      logger: logger.child({part: 'flow-control'}),
    });
    this.#closers.add(async () => encryption?.stop());
    this.#closers.add(async () => traces?.close());
    this.#closers.add(() => kernel.stop());
  }

  get paths(): ServerPaths {
    return this.#basics.paths;
  }

  /** The metrics at `/metrics`. */
  get metrics(): MetricRegistry {
    return this.#basics.metrics;
  }

  /** `https://HOST:PORT`; known once the server runs. */
  get url(): string {
    return this.#admin.urlAt(this.#parts?.endpoint.port ?? 0);
  }

  /** Path of the administrator's client configuration file. */
  get kubeconfig(): string {
    return this.#admin.kubeconfig;
  }

  /** A client with the administrator's certificate, the same at each call; closed when the server stops. @throws Error unless the server runs */
  get client(): Client {
    if (this.#state !== 'running' || !this.#parts) throw new Error(`the server is ${this.#state}: its client can be used while it runs`);
    return this.#admin.clientOf(this.url, this.#parts.pki);
  }

  /** Has the server answer a few requests of its own, unless somebody uses it: its first users need not wait for what is compiled when it is first called. */
  async warmUp(): Promise<void> {
    const parts = this.#parts;
    // What is audited is what users do.
    if (this.#state !== 'running' || !parts || parts.audit || parts.http.figures.connections > 0) return;
    await this.#admin.warmUp(this.url, parts.pki, () => this.#state !== 'running' || parts.http.figures.connections > 1);
  }

  /** Undefined until types, storage and admission are put together. */
  get registry(): Registry | undefined {
    return this.#parts?.registry;
  }

  /** Statistics of the server; undefined until it listens. */
  get figures(): HttpFigures | undefined {
    return this.#parts?.http.figures;
  }

  /** What a server for tests has; undefined on others, and as `registry` is. */
  get testing(): TestingApi | undefined {
    return this.#parts?.testing;
  }

  /**
   * For programs that own their process: called with an error that nothing caught, in the context in which it was thrown. Lines of the log with it name the plugin from then
   * on whose code it came out of.
   *
   * @returns whether it was a controller's; that one is started again, and the server goes on
   */
  contain(error: unknown): boolean {
    this.#kernel.claim(error);
    return this.#parts?.controllers.contain(error) ?? false;
  }

  /**
   * Opens the store, brings up the plugins and listens. Resolves when requests are answered.
   *
   * @throws Error in one sentence (port in use, store away, …) or KernelError; what was started is stopped then
   */
  async start(signal: AbortSignal = new AbortController().signal): Promise<void> {
    if (this.#state !== 'new') throw new Error('a server can be started once');
    this.#state = 'starting';
    try {
      const [kernel, settings, basics] = [this.#kernel, this.#settings, this.#basics];
      closeDataFolder(settings.dataDir, this.#logger);
      const ground = {kernel, settings, basics, flowControl: this.#flowControl, closers: this.#closers};
      const prepared = await prepare(ground, signal);
      const contributions = await kernel.construct(serverValues(kernel, settings, prepared));
      await checkContributions(kernel, contributions, this.#logger);
      const parts = await this.#assemble(prepared, contributions);
      await this.#startServices(parts, signal);
      await this.#listen(parts);
      this.#state = 'running';
    } catch (error) {
      await this.#stopFailed().catch((failure: unknown) => this.#logger.error({err: failure}, 'stopping after a failed start failed'));
      throw error;
    }
  }

  async #stopFailed(): Promise<void> {
    try {
      await this.stop();
    } finally {
      // A stop may have come while this start was still opening things.
      await this.#closers.close();
    }
  }

  /** The metrics of this process, in a format of `/metrics`. */
  async metricsText(form: TextForm): Promise<string> {
    const {metricsOf} = await import('../http/metrics/serve-metrics.js');
    return Buffer.concat(await metricsOf(this.metrics, form, this.#settings.scheduler.task('request', 'metrics'))).toString();
  }

  /**
   * Stops, while another process goes on in its place: clients get the time to come back to that one. No request is lost, unless a connection that was
   * idle for all of `graceMillis` is used in the moment in which it is closed.
   */
  async retire(graceMillis: number): Promise<void> {
    await this.#parts?.http.retire(graceMillis);
    await this.stop();
  }

  /** Lets requests in flight finish, stops the plugins in reverse order, closes the store. Repeated calls share one stop. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stopAll());
  }

  /** Gives what was prepared the plugins, and puts the listener and the controllers together. */
  async #assemble(prepared: Prepared, contributions: Contributions): Promise<Parts> {
    const {registry, webhooks, audit, certificates, access} = prepared;
    registry.admission.install(contributions.admission);
    webhooks.install(contributions.webhookCallers);
    this.#installSinks(prepared, contributions);
    const testing = await this.#openTesting(prepared);
    const {authorizers, follow} = await this.#authorizers(contributions);
    const reportTo = this.#basics.requestReports.settle();
    const http = buildHttp(contributions, {
      authorizers,
      follow,
      settings: this.#settings,
      featureGates: this.#kernel.featureGates,
      registry,
      schemas: this.#basics.schemas,
      cbor: this.#kernel.featureGates.enabled('CBORServingAndStorage') ? (await import('../api/cbor/cbor-codec.js')).cborCodec : undefined,
      flowControl: this.#flowControl.enabled ? this.#flowControl : undefined,
      audit: audit?.isRecording ? audit : undefined,
      reports: reportTo && (await import('../http/filters/report-requests.js')).reportRequests(reportTo),
      metrics: this.metrics,
      access,
      testingRoutes: testing?.routes ?? [],
      pki: prepared.pki,
      certificates: certificates?.material,
      healthChecks: this.#healthChecks(prepared, contributions),
    });
    this.#closers.add(() => this.#closeConnections(http, prepared));
    const parts: Parts = {...prepared, http, testing, controllers: this.#buildControllers(prepared, contributions)};
    this.#parts = parts;
    return parts;
  }

  /** Those of the modes, or of the file that names them. @throws Error with all that is wrong with the file */
  async #authorizers({authorizers}: Contributions): Promise<Pick<HttpParts, 'authorizers' | 'follow'>> {
    const {authorizationConfig: path, naming, release, logger} = this.#settings;
    if (path === undefined) return {authorizers: authorizers.map(ofMode), follow: () => undefined};
    const {AuthorizationFile} = await import('../http/authorization/authorization-file.js');
    const knownTypes = new Set(this.#kernel.authorizationModes());
    const file = new AuthorizationFile(path, {
      naming,
      release,
      authorizers,
      knownTypes,
      metrics: this.metrics,
      logger: logger.child({part: 'authorization'}),
    });
    this.#closers.add(() => file.close());
    return {authorizers: await file.read(), follow: (authorization) => file.follow((chain) => authorization.replace(chain))};
  }

  #healthChecks({store, certificates, pki}: Prepared, {controllers}: Contributions) {
    return healthChecks({
      kernel: this.#kernel,
      controllerNames: controllers.map(({name}) => name),
      controllers: () => this.#parts?.controllers,
      isFair: this.#flowControl.enabled,
      servingCertificate: () => certificates?.material.cert ?? pki.servingCertificate,
      checkStore: () => store.ping(),
      checkRunning: () => {
        if (this.#state !== 'running') throw new Error(`the server is ${this.#state}`);
      },
      logger: this.#logger.child({part: 'http'}),
    });
  }

  /** Logs a policy without a sink, or a sink without a policy. */
  #installSinks({audit}: Prepared, {auditSinks}: Contributions): void {
    const sinks = auditSinks.filter(({instance}) => instance.enabled !== false);
    const names = sinks.map(({name}) => name);
    if (!audit && sinks.length > 0) {
      this.#logger.warn({sinks: names}, 'no audit policy file is given: no events are recorded');
      this.#closers.add(() => closeUnused(sinks, this.#logger));
    }
    if (audit && sinks.length === 0) this.#logger.warn({}, 'an audit policy file is given, but no audit log or webhook');
    const listener = this.#basics.auditEvents.settle();
    if (!audit || sinks.length === 0) return;
    audit.install(sinks, listener);
    registerAuditMetrics(this.metrics, () => audit.figures);
  }

  async #openTesting({store, storage, registry: {catalog}}: Prepared): Promise<TestingApi | undefined> {
    const {movableClock: clock, naming, scheduler, isCluster: inSteps} = this.#settings;
    if (!clock) return undefined;
    const {TestingApi: Api} = await import('../testing/testing-api.js');
    const cutWatches = () => this.#parts?.http.cutWatches();
    this.#logger.warn({}, 'the testing API is on: whoever may post to /orch/testing changes objects past admission');
    return new Api({store: store as StoreFaults, storage, catalog, naming, clock, scheduler, inSteps, cutWatches});
  }

  #buildControllers({clients, store}: Prepared, {controllers}: Contributions): ControllerRunner {
    const {naming, election, logger, scheduler} = this.#settings;
    return new ControllerRunner({
      activity: scheduler.activity,
      controllers,
      gate: (name) => clients.gate(name),
      store,
      resources: clients.leases,
      naming,
      times: election,
      logger: logger.child({part: 'controllers'}),
    });
  }

  async #startServices({controllers, renewed}: Parts, signal: AbortSignal): Promise<void> {
    // From here on plugins stop before the connections and the store that they use, and controllers before them; before both what calls them anew.
    this.#closers.add(() => this.#kernel.stop());
    this.#closers.add(() => controllers.stop());
    this.#closers.add(() => renewed.stop());
    renewed.add(this.#kernel);
    await this.#kernel.start('services', signal);
    renewed.add(controllers);
    await controllers.check(signal);
    this.#flowControl.start();
  }

  async #listen({http, certificates, endpoint, pki, controllers}: Parts): Promise<void> {
    endpoint.port = await http.listen();
    certificates?.start((material) => http.replaceCertificates(material));
    await this.#admin.writeKubeconfig(this.url, pki);
    await controllers.start();
    this.#logger.info({url: this.url, platform: this.#settings.naming.name}, 'ready');
    // Not waited for: the server is ready before it leads.
    void controllers.lead();
  }

  async #closeConnections(http: HttpServer, {storage}: Prepared): Promise<void> {
    const closed = http.close(drainMillis);
    storage.endWatches();
    this.#admin.close();
    await closed;
    this.#flowControl.stop();
  }

  /** Controllers stop while requests are still answered; then the listener and the watches; when the last request has been answered, the store. */
  async #stopAll(): Promise<void> {
    this.#state = 'stopping';
    try {
      await this.#closers.close();
    } finally {
      this.#state = 'stopped';
    }
  }
}

/** An authorizer under the name by which its decisions are counted: a webhook without a file is the default one. */
function ofMode({name, mode, instance}: Contributions['authorizers'][number]): NamedAuthorizer {
  if (mode === undefined) return {name, instance};
  return {name: mode === 'Webhook' ? 'default' : mode.toLowerCase(), type: mode, instance};
}
