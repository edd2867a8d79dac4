import type {Logger} from '../../sdk/index.js';
import type {CborCodec} from '../api/cbor/cbor-codec.js';
import type {AuditLog} from '../registry/audit/audit-log.js';
import {gitVersionOf} from '../api/lifetimes/releases.js';
import type {Registry} from '../registry/registry.js';
import type {Authentication} from './authentication/authentication.js';
import {DebugFlags} from './debug/debug-flags.js';
import {Discovery} from './discovery/serve-discovery.js';
import type {Exchange} from './request/exchange.js';
import type {AuthenticatedExchange} from './request/stages.js';
import {authenticate} from './filters/authenticate.js';
import {authorize} from './filters/authorize.js';
import {countInFlight, countRequests} from './filters/count-requests.js';
import {checkOrigin, type AllowedOrigins} from './filters/check-origin.js';
import {FilterChain, type Filter, type Next} from './filters/filter.js';
import {findRequestInfo} from './filters/find-request-info.js';
import {exportTraces} from './filters/export-traces.js';
import {impersonate} from './filters/impersonate.js';
import {limitInFlight} from './filters/limit-in-flight.js';
import {limitTime} from './filters/limit-time.js';
import {recordFailures, recordRequests} from './filters/record-requests.js';
import {limitWatches} from './filters/limit-watches.js';
import {logRequests, type RequestLogSettings} from './filters/log-requests.js';
import {renderErrors} from './filters/render-errors.js';
import {shareFairly} from './filters/share-fairly.js';
import {WorkEstimator} from './flow-control/estimate-work.js';
import type {RequestFlowControl} from './flow-control/request-flow-control.js';
import {FlowControlDumps} from './flow-control/serve-dumps.js';
import {WatchCounts} from './flow-control/watch-counts.js';
import type {ResourceServices} from './handlers/resource-request.js';
import {hasResource, serveAggregated} from './handlers/serve-aggregated.js';
import {serveResource} from './handlers/serve-resource.js';
import {PluginRoutes, type RegisteredRoute} from './handlers/serve-routes.js';
import {Health, HealthFigures, type HealthCheck} from './health/health.js';
import type {HttpLimits} from './limits/http-limits.js';
import type {LogLevels} from '../logs/log-levels.js';
import type {MetricRegistry} from '../metrics/metric-registry.js';
import {AccessFigures} from './metrics/access-figures.js';
import {RequestFigures, type IsServed} from './metrics/request-figures.js';
import {whenTypesGo} from './metrics/gone-types.js';
import {WatchFigures} from './metrics/watch-figures.js';
import {MetricsPage, type OtherProcesses} from './metrics/serve-metrics.js';
import {OpenApiDocuments} from './openapi/open-api-documents.js';
import type {Tracer} from '../tracing/tracer.js';
import type {RequestInfo} from './request/request-info.js';
import {methodNotServed} from './response/http-errors.js';
import {respondJson, respondNothingThere} from './response/respond.js';
import {versionInfo} from './discovery/version-info.js';
import {ZPages} from './zpages/zpages.js';
import {flagz} from './zpages/flagz.js';
import {statusz} from './zpages/statusz.js';

export interface RequestHandlerOptions {
  readonly registry: Registry;
  readonly services: Omit<ResourceServices, 'watches'>;
  readonly authentication: Authentication;
  /** Origins whose pages may use the server. */
  readonly origins: AllowedOrigins;
  /** Undefined if priority and fairness is off. */
  readonly flowControl: RequestFlowControl | undefined;
  readonly limits: Pick<HttpLimits, 'maxRequestsInflight' | 'maxMutatingRequestsInflight'>;
  readonly routes: readonly RegisteredRoute[];
  readonly healthChecks: readonly HealthCheck[];
  /** Undefined if requests are not audited. */
  readonly audit: AuditLog | undefined;
  /** Metrics of requests, and the contents of `/metrics`. */
  readonly metrics: MetricRegistry;
  /** The other processes, for `/metrics`; undefined for a server of one process. */
  readonly others: OtherProcesses | undefined;
  /** Reports what became of requests; undefined if nobody wants to know. */
  readonly reports: Filter | undefined;
  readonly requestLog: RequestLogSettings;
  readonly logLevels: LogLevels;
  /** What reads and writes CBOR; undefined where it is not served. */
  readonly cbor: CborCodec | undefined;
  /** Whether aggregated discovery is served in v2beta1 too. */
  readonly hasBetaDiscovery: boolean;
  /** Whether there is `/metrics/slis`. */
  readonly showsHealthFigures: boolean;
  /** Whether there is `/statusz`. */
  readonly showsStatus: boolean;
  /** Values of all flags, for `/flagz`; undefined where there is none. */
  readonly flagValues: (() => Readonly<Record<string, string>>) | undefined;
  /** Undefined if no traces are exported. */
  readonly tracer: Tracer | undefined;
  /** Of Kubernetes, whose API is served. */
  readonly release: string;
  /** Version of this build. */
  readonly build: string;
  readonly logger: Logger;
}

/** Assembles what serves every request: the filters in order, followed by the handler for the path. */
export function requestHandler(options: RequestHandlerOptions): (exchange: Exchange) => Promise<void> {
  const {registry, services, authentication, flowControl, limits, audit, reports, requestLog, tracer, logger} = options;
  const figures = new RequestFigures(options.metrics, isServed(registry));
  const access = new AccessFigures(options.metrics);
  const routes = new PluginRoutes(options.routes);
  const filters = FilterChain.begin()
    .then(countRequests(figures))
    .maybe(reports)
    .then(logRequests(logger, requestLog, tracer !== undefined || reports !== undefined))
    .then(renderErrors(logger, services.naming))
    .maybe(audit && recordFailures(audit))
    .then(checkOrigin(options.origins))
    .then(findRequestInfo(registry.catalog, routes))
    .then(countInFlight(figures))
    .then(limitTime(services.naming))
    .then(authenticate(authentication, access))
    .maybe(tracer && exportTraces(tracer, services.naming))
    .maybe(audit && recordRequests(audit))
    .then(impersonate(services.authorization, services.naming))
    .then(
      flowControl
        ? shareFairly(fairnessParts(flowControl, registry))
        : limitInFlight({reads: limits.maxRequestsInflight, writes: limits.maxMutatingRequestsInflight}),
    )
    .then(authorize(services.authorization, services.naming, access))
    .then(limitWatches());
  const watches = new WatchFigures(options.metrics);
  whenTypesGo(registry.catalog, () => {
    figures.dropGone();
    watches.dropGone(registry.catalog);
  });
  const {cbor} = options;
  const handle = filters.endingIn(dispatcher(options, routes, serveResource(registry, {...services, watches}, figures)));
  if (!cbor) return handle;
  return (exchange) => {
    exchange.cbor = cbor;
    return handle(exchange);
  };
}

function isServed(registry: Registry): IsServed {
  return ({group, version, resource, subresource}) => {
    const aggregated = registry.catalog.aggregated(group, version);
    if (aggregated) return hasResource(aggregated, resource, subresource);
    const found = registry.catalog.find(group, version, resource);
    return found !== undefined && (subresource === '' || found.hasSubresource(subresource));
  };
}

function fairnessParts(flowControl: RequestFlowControl, registry: Registry) {
  const watches = new WatchCounts();
  const countObjects = ({group, version, resource}: RequestInfo) => {
    const found = registry.catalog.find(group, version, resource);
    return found && !found.type.isVirtual ? registry.served(found).storage.objectCount : undefined;
  };
  return {flowControl, watches, estimator: new WorkEstimator({countObjects, watches})};
}

function dispatcher(
  options: RequestHandlerOptions,
  routes: PluginRoutes,
  resources: Next<AuthenticatedExchange>,
): Next<AuthenticatedExchange> {
  const {registry, services} = options;
  const discovery = new Discovery(registry.catalog, services.naming, options.hasBetaDiscovery);
  const openApi = new OpenApiDocuments(registry.catalog, {
    schemas: services.schemas,
    naming: services.naming,
    title: 'Orch',
    serverVersion: `v${options.build}`,
    hasCbor: options.cbor !== undefined,
    logger: options.logger,
  });
  const healthFigures = options.showsHealthFigures ? new HealthFigures(options.logger, options.release) : undefined;
  const health = new Health(options.healthChecks, options.logger, healthFigures);
  const paths = () => rootPaths(options, health);
  const metrics = new MetricsPage(options.metrics, options.others, healthFigures?.metrics);
  const dumps = new FlowControlDumps(options.flowControl);
  const pages = zpages(options);
  const flags = new DebugFlags(options.logLevels, options.requestLog, options.logger);
  const version = versionInfo(options.release, options.build);
  return (exchange) => {
    // While its caller was found out, or the audit log written.
    if (exchange.isOver) return Promise.resolve();
    if (exchange.aggregated) return serveAggregated(exchange, exchange.aggregated);
    return exchange.info.isResourceRequest ? resources(exchange) : others(exchange);
  };

  async function others(exchange: AuthenticatedExchange): Promise<void> {
    const {info} = exchange;
    const {segments} = info;
    if (segments.length === 0) return readOnly(exchange, async () => respondJson(exchange, 200, {paths: paths()}));
    if (Health.owns(segments)) return readOnly(exchange, () => health.serve(exchange));
    if (Discovery.owns(segments)) return readOnly(exchange, () => discovery.serve(exchange));
    if (OpenApiDocuments.owns(segments)) return readOnly(exchange, () => openApi.serve(exchange));
    if (MetricsPage.owns(segments)) return readOnly(exchange, () => metrics.serve(exchange));
    if (FlowControlDumps.owns(segments)) return readOnly(exchange, () => dumps.serve(exchange));
    if (DebugFlags.owns(segments)) return flags.serve(exchange);
    if (ZPages.owns(segments)) return readOnly(exchange, () => pages.serve(exchange));
    if (segments[0] === 'version' && segments.length === 1) return readOnly(exchange, async () => respondJson(exchange, 200, version));
    const route = routes.find(exchange);
    if (route) return routes.serve(route, exchange);
    respondNothingThere(exchange);
  }
}

async function readOnly(exchange: AuthenticatedExchange, serve: () => Promise<void>): Promise<void> {
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw methodNotServed();
  await serve();
}

/** Paths that are the same on every server of a kind. */
function fixedPaths({showsStatus, flagValues}: Pick<RequestHandlerOptions, 'flagValues' | 'showsStatus'>): string[] {
  return [...(flagValues ? ['/flagz'] : []), '/healthz', '/livez', '/metrics', '/readyz', ...(showsStatus ? ['/statusz'] : []), '/version'];
}

function zpages(options: RequestHandlerOptions): ZPages {
  const {release, build, showsStatus, flagValues} = options;
  const binaryVersion = gitVersionOf(release, build).slice(1).replace(/\+.*/, '');
  return new ZPages(
    [
      ...(showsStatus ? [statusz({startedAt: Date.now(), binaryVersion, release, paths: fixedPaths(options)})] : []),
      ...(flagValues ? [flagz(flagValues)] : []),
    ],
    options.services.naming,
  );
}

function rootPaths(options: RequestHandlerOptions, health: Health): string[] {
  const {catalog} = options.registry;
  const groups = catalog.groups().flatMap(({group, versions}) => {
    const root = group === '' ? '/api' : `/apis/${group}`;
    return [root, ...versions.map(({version}) => `${root}/${version}`)];
  });
  const slis = options.showsHealthFigures ? ['/metrics/slis'] : [];
  return [...new Set(['/api', '/apis', ...groups, '/openapi/v2', '/openapi/v3', ...fixedPaths(options), ...slis, ...health.paths])].sort();
}
