import type {FeatureGates} from '../../sdk/index.js';
import type {CborCodec} from '../api/cbor/cbor-codec.js';
import type {SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import type {AccessReview} from '../http/authorization/access-review.js';
import {Authentication} from '../http/authentication/authentication.js';
import {Authorization, type NamedAuthorizer} from '../http/authorization/authorization.js';
import {decisionSeries} from '../http/metrics/access-figures.js';
import type {Filter} from '../http/filters/filter.js';
import type {RequestFlowControl} from '../http/flow-control/request-flow-control.js';
import type {RegisteredRoute} from '../http/handlers/serve-routes.js';
import {requestHandler} from '../http/request-handler.js';
import {HttpServer} from '../http/server.js';
import type {Contributions} from '../kernel/contributions.js';
import {KERNEL_VERSION} from '../kernel/kernel-version.js';
import type {MetricRegistry} from '../metrics/metric-registry.js';
import type {AuditLog} from '../registry/audit/audit-log.js';
import type {Registry} from '../registry/registry.js';
import {registerBuildMetrics} from '../http/metrics/build-metrics.js';
import {registerHttpMetrics} from '../http/metrics/http-metrics.js';
import type {Pki} from '../pki/ensure-pki.js';
import type {HealthCheck} from '../http/health/health.js';
import type {ServerSettings} from './server-settings.js';
import type {ServingCertificates} from '../tls/serving-certificates.js';

/** What the HTTP part of a server stands on. */
export interface HttpParts {
  readonly settings: ServerSettings;
  readonly featureGates: FeatureGates;
  readonly registry: Registry;
  readonly schemas: SchemaCatalog;
  /** Undefined where CBOR is not served. */
  readonly cbor: CborCodec | undefined;
  /** Undefined where requests are not scheduled. */
  readonly flowControl: RequestFlowControl | undefined;
  readonly audit: AuditLog | undefined;
  /** Reports what became of requests; undefined if nobody wants to know. */
  readonly reports: Filter | undefined;
  readonly metrics: MetricRegistry;
  /** Gets the authenticators and authorizers. */
  readonly access: AccessReview;
  /** Those that are asked, in order. */
  readonly authorizers: readonly NamedAuthorizer[];
  /** Called with what asks them, for changes while the server runs. */
  follow(authorization: Authorization): void;
  readonly testingRoutes: readonly RegisteredRoute[];
  readonly pki: Pki;
  /** Certificates from files; undefined where the server has its own only. */
  readonly certificates: ServingCertificates['material'] | undefined;
  readonly healthChecks: readonly HealthCheck[];
}

/** Puts the listener together, with authentication, authorization and the filters of requests. It does not listen yet. */
export function buildHttp(contributions: Contributions, parts: HttpParts): HttpServer {
  const {settings, featureGates, registry, schemas, metrics, pki, certificates} = parts;
  const {naming, logger, bindAddress, securePort, limits, serving} = settings;
  const authentication = new Authentication(
    contributions.authenticators,
    limits.maxAuthenticationsInflight,
    `base64url.bearer.${naming.group('authorization.orch')}.`,
    logger,
  );
  const authorization = new Authorization(parts.authorizers, featureGates.enabled('AuthorizeWithSelectors'), decisionSeries(metrics));
  parts.follow(authorization);
  parts.access.install(authentication, authorization);
  const handle = requestHandler({
    registry,
    services: {naming, authorization, schemas, fieldValidation: featureGates.enabled('ServerSideFieldValidation')},
    authentication,
    origins: settings.origins,
    flowControl: parts.flowControl,
    limits,
    audit: parts.audit,
    reports: parts.reports,
    metrics,
    others: settings.place,
    routes: [...contributions.routes, ...parts.testingRoutes],
    healthChecks: parts.healthChecks,
    requestLog: settings.requestLog,
    logLevels: settings.logLevels,
    tracer: settings.traces?.tracer,
    cbor: parts.cbor,
    showsHealthFigures: featureGates.enabled('ComponentSLIs'),
    hasBetaDiscovery: !featureGates.enabled('AggregatedDiscoveryRemoveBetaType'),
    showsStatus: featureGates.enabled('ComponentStatusz'),
    flagValues: featureGates.enabled('ComponentFlagz') ? settings.flagValues : undefined,
    release: settings.release,
    build: KERNEL_VERSION,
    logger: logger.child({part: 'http'}),
  });
  const tls = {
    ...serving.protocol,
    key: certificates?.key ?? pki.servingKey,
    cert: certificates?.cert ?? pki.servingCertificate,
    ca: certificates ? [...certificates.ca] : pki.caCertificate,
    requestCert: true,
    rejectUnauthorized: false,
    ...(settings.place ? {ticketKeys: settings.place.ticketKeys} : {}),
  };
  const server = new HttpServer({
    bindAddress,
    port: securePort,
    source: settings.place?.connections,
    tls,
    named: certificates?.named,
    http2: serving.http2 && {...serving.http2, endsAnonymous: featureGates.enabled('UnauthenticatedHTTP2DOSMitigation')},
    limits,
    scheduler: settings.scheduler,
    logger: logger.child({part: 'http'}),
    handle,
  });
  registerBuildMetrics(metrics, featureGates, settings.release, KERNEL_VERSION);
  registerHttpMetrics(metrics, () => ({...server.figures, limitsActed: [...server.figures.limitsActed, ...authentication.limitsActed]}));
  return server;
}
