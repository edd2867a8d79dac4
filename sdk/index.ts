/** Everything that a plugin may import. */
// tsyringe refuses to load before it.
import 'reflect-metadata';
export {injectable} from 'tsyringe';

export type {ApiList, ApiObject, JsonObject, JsonValue, WatchEvent, WatchEventType} from './objects/api-object.js';
export {
  apiVersionOf,
  groupResourceText,
  parseApiVersion,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
} from './objects/group-version.js';
export {isJsonObject} from './values/is-json-object.js';
export {microTime} from './values/micro-time.js';
export {secondTime} from './values/second-time.js';
export {preconditionsOf} from './objects/preconditions.js';
export type {FieldsV1, ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference} from './objects/object-meta.js';
export type {Status, StatusCause, StatusDetails, StatusReason} from './objects/status.js';
export type {Unchecked} from './objects/unchecked.js';

export {FieldPath} from './errors/field-path.js';
export {
  duplicate,
  fieldErrorCause,
  fieldErrorText,
  forbiddenField,
  internalFieldError,
  invalid,
  notFoundField,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  invalidUnseen,
  duplicateUnseen,
  type FieldError,
  type FieldErrorReason,
} from './errors/field-error.js';
export {
  ifFound,
  isAlreadyExists,
  isConflict,
  isNamespaceTerminating,
  isNotFound,
  isOvertaken,
  retryOnConflict,
  unlessExists,
  unlessOvertaken,
} from './errors/outcomes.js';
export {shownPath} from './errors/shown-path.js';
export {shownValue} from './errors/shown-value.js';
export {StatusError, type StatusErrorOptions} from './errors/status-error.js';
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  internalError,
  invalidObject,
  methodNotAllowed,
  notAcceptable,
  notFound,
  pathNotFound,
  requestEntityTooLarge,
  serviceUnavailable,
  timeout,
  tooManyRequests,
  unauthorized,
  unsupportedMediaType,
  type ErrorTarget,
} from './errors/builders.js';
export {StoreError, type StoreErrorCode, type StoreErrorOptions} from './contracts/store-error.js';
export {WebhookError, type WebhookErrorCode, type WebhookErrorOptions} from './errors/webhook-error.js';

export {generateName} from './values/generate-name.js';
export {jsonText, parseJson} from './values/json-text.js';
export {qualifiedNameFaults} from './values/qualified-name.js';
export {age, humanDuration} from './values/age.js';
export {Backoff, type BackoffOptions} from './values/backoff.js';
export {every} from './values/every.js';
export {LossLog, type LossLogOptions} from './values/loss-log.js';
export {durationMillis, durationProblem, durationText, parseDuration} from './values/duration.js';
export {encodeHeaderKey} from './values/header-key.js';
export {pemBlocks, type PemBlock} from './values/pem-blocks.js';
export {CooperativeScheduler, taskOf, turnBudgets, type WorkObserver} from './values/cooperative-scheduler.js';
export {atOnce, inTurns, type Interruptible} from './values/interruptible.js';
export {WorkExceeded, SlicedWork} from './values/sliced-work.js';
export {
  dataKeyFaults,
  dns1035LabelFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  environmentNameFaults,
  headerNameFaults,
  labelValueFaults,
  percentFaults,
  portNameFaults,
  portNumberFaults,
} from './values/name-formats.js';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isWholeQuantity,
  normalQuantity,
  parseQuantity,
  quantityAmount,
  roundToMilli,
  subtractQuantities,
  type Quantity,
  type QuantityFamily,
} from './values/quantity.js';

export {ExpressionError, type ExpressionErrorCode} from './errors/expression-error.js';
export {ExpressionPending} from './errors/expression-pending.js';
export type {
  Expression,
  ExpressionAuthorizer,
  ExpressionBudget,
  Expressions,
  ExpressionScope,
  ExpressionScopeAdditions,
  ExpressionScopeOptions,
  ExpressionType,
  ExpressionValues,
} from './contracts/expressions.js';
export type {AdmissionConfigurations} from './contracts/admission-configurations.js';
export {
  admissionForbidden,
  type AdmissionController,
  type AdmissionForm,
  type AdmissionPatchOptions,
  type AdmissionOperation,
  type AdmissionRequest,
  type AnnotationLevel,
  type DecidedBy,
} from './contracts/admission.js';
export type {AdmissionEvents, AdmissionHalf, AdmissionListener, AdmissionTiming, WebhookCallEvent} from './contracts/admission-events.js';
export type {
  AggregatedResource,
  AggregatedSubresource,
  AggregatedVersion,
  AggregatedVersions,
  ResponseKind,
  VersionCall,
  VersionServer,
} from './contracts/aggregated-versions.js';
export type {ApiVersions} from './contracts/api-versions.js';
export type {NodeAgent, NodeAgents, ReachableAgent} from './contracts/node-agents.js';
export type {AuditEvent, AuditLevel, AuditObjectReference, AuditSink, AuditStage} from './contracts/audit-sink.js';
export type {AuthenticatedUser, AuthenticationRequest, Authenticator} from './contracts/authenticator.js';
export type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
  AuthorizerFactory,
  ConfiguredAuthorizer,
  FieldSelectorTerm,
  LabelSelectorTerm,
  SelectorAttributes,
} from './contracts/authorizer.js';
export type {Controller} from './contracts/controller.js';
export type {FeatureGates} from './contracts/feature-gates.js';
export type {
  FlowControl,
  FlowControlConfiguration,
  FlowNonResourceRule,
  FlowResourceRule,
  FlowRule,
  FlowSchemaDefinition,
  FlowSubject,
  PriorityLevelDefinition,
  PriorityLevelLimit,
} from './contracts/flow-control.js';
export type {Lifecycle} from './contracts/lifecycle.js';
export type {Logger, LogSeverity} from './contracts/logger.js';
export type {SpanAttributes, Tracing} from './contracts/tracing.js';
export type {
  CounterSeries,
  Gauge,
  GaugeSeries,
  HistogramDeclaration,
  HistogramSeries,
  Metric,
  MetricDeclaration,
  MetricReleases,
  Metrics,
  MetricStability,
} from './contracts/metrics.js';
export {componentPrefix, namespaceFinalizer, type NamingProfile, type PlatformNames} from './contracts/naming.js';
export {
  pagesOf,
  readCachedFirst,
  type ApplyCallOptions,
  type CreateCallOptions,
  type DeleteCallOptions,
  type GetCallOptions,
  type ListOptions,
  type PatchCallOptions,
  type ReadOptions,
  type ResourceClient,
  type ResourceRef,
  type ServedResource,
  type WriteCallOptions,
} from './contracts/resource-client.js';
export type {ElementDeprecation, FeatureGateLifetime, VersionLifetime} from './contracts/lifetimes.js';
export type {
  PrinterColumn,
  ResourceBehaviour,
  ResourceDefinition,
  ResourceNames,
  ResourceVerb,
  ResourceVersionDefinition,
  SubresourceDefinition,
  WithoutEffect,
} from './contracts/resource-definition.js';
export type {Route, RouteRequest} from './contracts/route.js';
export type {Startable} from './contracts/startable.js';
export type {ServerEndpoint} from './contracts/server-endpoint.js';
export type {AuditEvents} from './contracts/audit-events.js';
export type {FlagFact, PluginFact, ServerFacts, StoreFact, StoreShardFact} from './contracts/server-facts.js';
export type {ServerPaths} from './contracts/server-paths.js';
export type {
  BackupRecord,
  BackupTaker,
  Commit,
  CommitGuard,
  FilledRecord,
  Lineage,
  LogEntry,
  LogFollower,
  LogListener,
  RestoreOptions,
  RewrittenStore,
  ShardPlacement,
  ShardStatus,
  Store,
  StoredRecord,
  StoreFiller,
  StoreOpenOptions,
  StoreProvider,
  TypeContents,
  TypeHistory,
} from './contracts/store.js';
export type {DeleteDecision, ResourceStrategy, StrategyContext, TableRowCondition} from './contracts/strategy.js';
export type {ConnectRequest, VirtualRequest, VirtualResource} from './contracts/virtual-resource.js';
export type {CacheFollower, ObjectCache, ObjectInCache} from './contracts/object-cache.js';
export type {ChangeBounds, ObjectChanges, ObjectVersion} from './contracts/object-changes.js';
export type {AdmissionVerdict, ReportedStep, RequestReport, RequestReports} from './contracts/request-reports.js';
export type {ResourceTypes} from './contracts/resource-types.js';
export type {Schemas} from './contracts/schemas.js';
export type {ServedApis} from './contracts/served-apis.js';
export type {ServedSchemas} from './contracts/served-schemas.js';
export type {AccessReviewer, ReadSelectors, TokenIdentity} from './contracts/access-reviewer.js';
export type {Clock} from './contracts/clock.js';
export type {Activity, Scheduler, Task, WorkKind} from './contracts/scheduler.js';
export type {ConsoleView, ViewClient, ViewContext, ViewTarget} from './types/console-view.js';
export type {DeclaredView} from './contracts/declared-view.js';
export type {ControllerAccount, DeclaredAccount, PluginAccount} from './contracts/declared-account.js';
export type {NonResourceRule, ResourceRule, UserRules} from './contracts/user-rules.js';
export type {UserInfo} from './contracts/user.js';
export type {
  ChainedWebhookCaller,
  NextWebhookCaller,
  WebhookCaller,
  WebhookCallSettings,
  WebhookCredentials,
  WebhookServiceReference,
  WebhookTarget,
} from './contracts/webhook-caller.js';

export {
  admission,
  auditSink,
  authenticator,
  authorizer,
  contributionOf,
  controller,
  route,
  service,
  store,
  strategy,
  virtualResource,
  webhookCaller,
  type AdmissionOptions,
  type AuthenticatorOptions,
  type ContributionKind,
  type ContributionRecord,
  type OrderOptions,
} from './plugin/decorators.js';
export type {
  AdmissionContribution,
  ConfigProperty,
  ConfigSchema,
  ControllerContribution,
  FeatureGateDeclaration,
  PluginContributions,
  PluginManifest,
  RouteContribution,
  StoreContribution,
} from './plugin/manifest.js';
export {serviceToken, type ServiceToken} from './plugin/service-token.js';
export {Tokens} from './plugin/tokens.js';
export {inject} from './plugin/inject.js';
export type {PluginContext} from './plugin/plugin-context.js';
export {definePlugin, type PluginDefinition, type PluginHead} from './plugin/define/define-plugin.js';
export {
  defineAdmission,
  defineAuditSink,
  defineAuthenticator,
  defineAuthorizer,
  defineController,
  defineRoute,
  defineStore,
  defineService,
  defineWebhookCaller,
} from './plugin/define/define-contributions.js';
export {defineResource, type DefinedResource, type DefinedSubresource, type DefinedVersion} from './plugin/define/define-resource.js';
export type {Create, Exact, PluginContribution} from './plugin/define/plugin-contribution.js';
export type {SettingsOf} from './plugin/define/settings-of.js';
