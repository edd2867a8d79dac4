import type {InjectionToken} from 'tsyringe';
import type {AccessReviewer} from '../contracts/access-reviewer.js';
import type {AdmissionConfigurations} from '../contracts/admission-configurations.js';
import type {AggregatedVersions} from '../contracts/aggregated-versions.js';
import type {ApiVersions} from '../contracts/api-versions.js';
import type {AuditEvents} from '../contracts/audit-events.js';
import type {Clock} from '../contracts/clock.js';
import type {DeclaredAccount} from '../contracts/declared-account.js';
import type {DeclaredView} from '../contracts/declared-view.js';
import type {Expressions} from '../contracts/expressions.js';
import type {AdmissionEvents} from '../contracts/admission-events.js';
import type {FeatureGates} from '../contracts/feature-gates.js';
import type {FlowControl} from '../contracts/flow-control.js';
import type {Logger} from '../contracts/logger.js';
import type {Metrics} from '../contracts/metrics.js';
import type {NodeAgents} from '../contracts/node-agents.js';
import type {NamingProfile} from '../contracts/naming.js';
import type {ObjectCache} from '../contracts/object-cache.js';
import type {RequestReports} from '../contracts/request-reports.js';
import type {ResourceClient} from '../contracts/resource-client.js';
import type {ResourceTypes} from '../contracts/resource-types.js';
import type {Scheduler} from '../contracts/scheduler.js';
import type {Schemas} from '../contracts/schemas.js';
import type {ServedApis} from '../contracts/served-apis.js';
import type {ServedSchemas} from '../contracts/served-schemas.js';
import type {ServerEndpoint} from '../contracts/server-endpoint.js';
import type {ServerFacts} from '../contracts/server-facts.js';
import type {ServerPaths} from '../contracts/server-paths.js';
import type {Tracing} from '../contracts/tracing.js';
import type {WebhookCaller} from '../contracts/webhook-caller.js';
import type {PluginContext} from './plugin-context.js';

function token<T>(name: string): InjectionToken<T> {
  return Symbol.for(`orch.token.${name}`) as InjectionToken<T>;
}

/** What the kernel provides to plugin constructors: `constructor(@inject(Tokens.Logger) logger: Logger)`. */
export const Tokens = {
  /** The plugin's own settings, validated, with defaults filled in: an object of the type that the manifest's `config` describes. */
  Config: token<never>('Config'),
  /** Settings, log and everything else that can be injected. */
  Context: token<PluginContext>('Context'),
  /** A log with the plugin's name. */
  Logger: token<Logger>('Logger'),
  Naming: token<NamingProfile>('Naming'),
  FeatureGates: token<FeatureGates>('FeatureGates'),
  /** The release of Kubernetes that is served, as in `1.36`. For data that releases have or have not; behaviour goes by feature gates. */
  Release: token<string>('Release'),
  /** Objects of this server. Usable from `start` on: what is written passes plugins that are only being constructed before. */
  Resources: token<ResourceClient>('Resources'),
  /** What this server's cache has of all types, as it changes. */
  ObjectCache: token<ObjectCache>('ObjectCache'),
  /** Adds resource types while the server runs. */
  ResourceTypes: token<ResourceTypes>('ResourceTypes'),
  /** Serves group versions that are not made of resource types. */
  AggregatedVersions: token<AggregatedVersions>('AggregatedVersions'),
  /** Reads APIs whoever serves them. Usable from `start` on. */
  ServedApis: token<ServedApis>('ServedApis'),
  /** What the objects of served types look like. */
  ServedSchemas: token<ServedSchemas>('ServedSchemas'),
  /** Checks schemas and values as the server does. */
  Schemas: token<Schemas>('Schemas'),
  /** The server's own decisions about callers. Usable from `start` on. */
  Access: token<AccessReviewer>('Access'),
  /** The views of the console that manifests declare. */
  DeclaredViews: token<readonly DeclaredView[]>('DeclaredViews'),
  /** The accounts whose permissions manifests declare, of controllers and of plugins, for authorizers. */
  DeclaredAccounts: token<readonly DeclaredAccount[]>('DeclaredAccounts'),
  /** The operator's configuration for admission controllers (`--admission-control-config-file`). */
  AdmissionConfigurations: token<AdmissionConfigurations>('AdmissionConfigurations'),
  /** Which API versions are enabled. */
  ApiVersions: token<ApiVersions>('ApiVersions'),
  /** Compiles and evaluates expressions. */
  Expressions: token<Expressions>('Expressions'),
  /** Reports what happens in admission, for counters. */
  AdmissionEvents: token<AdmissionEvents>('AdmissionEvents'),
  /** The events of the audit log as they are recorded. */
  AuditEvents: token<AuditEvents>('AuditEvents'),
  /** What became of requests, and why. */
  RequestReports: token<RequestReports>('RequestReports'),
  /** The time, for whatever happens when something is due: tests move it. */
  Clock: token<Clock>('Clock'),
  /** Divides the turns of the event loop: for work that could hold up others. */
  Scheduler: token<Scheduler>('Scheduler'),
  /** Declares metrics for `/metrics`. */
  Metrics: token<Metrics>('Metrics'),
  /** Shows work and calls as parts of traced requests. */
  Tracing: token<Tracing>('Tracing'),
  /** Answers for the kubelets of nodes that are part of this process. */
  NodeAgents: token<NodeAgents>('NodeAgents'),
  /** Configures which requests are served first. */
  FlowControl: token<FlowControl>('FlowControl'),
  /** Calls webhooks through the callers that plugins contribute, by order. Usable from `start` on. */
  Webhooks: token<WebhookCaller>('Webhooks'),
  /** Where others reach the server, and whom it trusts. */
  Endpoint: token<ServerEndpoint>('Endpoint'),
  /** What the server is made of and set to, for administrators. */
  ServerFacts: token<ServerFacts>('ServerFacts'),
  /** Where the server keeps its files. */
  Paths: token<ServerPaths>('Paths'),
} as const;
