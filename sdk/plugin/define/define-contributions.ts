import type {AdmissionController} from '../../contracts/admission.js';
import type {AuditSink} from '../../contracts/audit-sink.js';
import type {Authenticator} from '../../contracts/authenticator.js';
import type {Authorizer} from '../../contracts/authorizer.js';
import type {Controller} from '../../contracts/controller.js';
import type {Lifecycle} from '../../contracts/lifecycle.js';
import type {Reconciler} from '../../controllers/reconciler.js';
import type {Route} from '../../contracts/route.js';
import type {StoreProvider} from '../../contracts/store.js';
import type {ChainedWebhookCaller} from '../../contracts/webhook-caller.js';
import type {AdmissionOptions, AuthenticatorOptions, ContributionKind, OrderOptions} from '../decorators.js';
import type {
  AdmissionContribution,
  ControllerContribution,
  PluginContributions,
  RouteContribution,
  StoreContribution,
} from '../manifest.js';
import type {PluginContext} from '../plugin-context.js';
import {serviceName, type ServiceToken} from '../service-token.js';
import type {ContributionSource, Create, PluginContribution} from './plugin-contribution.js';

interface Named {
  /** For messages, and the order among equals. */
  readonly name: string;
}

/** What the manifest says of a contribution, but for the class, and how it is created. */
type Defined<Declared, C, R, Contract> = Omit<Declared, 'class'> & {readonly create: Create<C, R, Contract>};

type Ordered<Options, C, R, Contract> = Named & Options & {readonly create: Create<C, R, Contract>};

/** An authenticator: who makes a request. */
export const defineAuthenticator = <C, R extends Authenticator>(
  definition: Ordered<AuthenticatorOptions, C, R, Authenticator & Lifecycle>,
): PluginContribution<C> => ordered('authenticator', 'authenticators', definition);

/** An authorizer: whether a caller may do what it asks for. */
export const defineAuthorizer = <C, R extends Authorizer>(
  definition: Ordered<OrderOptions, C, R, Authorizer & Lifecycle>,
): PluginContribution<C> => ordered('authorizer', 'authorizers', definition);

/** Makes the outbound calls of all plugins, or passes them on to the next by order. */
export const defineWebhookCaller = <C, R extends ChainedWebhookCaller>(
  definition: Ordered<OrderOptions, C, R, ChainedWebhookCaller & Lifecycle>,
): PluginContribution<C> => ordered('webhookCaller', 'webhookCallers', definition);

/** Gets the events of the audit log. */
export const defineAuditSink = <C, R extends AuditSink>(
  definition: Ordered<OrderOptions, C, R, AuditSink & Lifecycle>,
): PluginContribution<C> => ordered('auditSink', 'auditSinks', definition);

/** A policy about writes. */
export const defineAdmission = <C, R extends AdmissionController>({
  create,
  name,
  enabledByDefault,
  featureGate,
  ...options
}: Defined<AdmissionContribution, C, R, AdmissionController & Lifecycle> & AdmissionOptions): PluginContribution<C> =>
  declared({kind: 'admission', name, options, create}, (className) => ({
    admission: [{class: className, name, ...present({enabledByDefault, featureGate})}],
  }));

/** A loop that brings objects to their desired state. What it is created as may be a `Reconciler` of `@orch-api/orch/sdk/controllers`. */
export const defineController = <C, R extends Controller>({
  create,
  ...declaration
}: Defined<ControllerContribution, C, R, Controller | Reconciler>): PluginContribution<C> =>
  declared({kind: 'controller', name: declaration.name, options: {}, create}, (className) => ({
    controllers: [{class: className, ...declaration}],
  }));

/** A path outside the resource tree, or everything below one. */
export const defineRoute = <C, R extends Route>({
  create,
  ...declaration
}: Defined<RouteContribution, C, R, Route & Lifecycle>): PluginContribution<C> =>
  declared({kind: 'route', name: declaration.path, options: {}, create}, (className) => ({routes: [{class: className, ...declaration}]}));

/** Opens stores by the scheme of `--store`. Messages call it by `name`, or by its first scheme. */
export const defineStore = <C, R extends StoreProvider>({
  create,
  name,
  ...declaration
}: Defined<StoreContribution, C, R, StoreProvider> & Partial<Named>): PluginContribution<C> =>
  declared({kind: 'store', name: name ?? declaration.schemes[0] ?? '', options: {}, create}, (className) => ({
    stores: [{class: className, ...declaration}],
  }));

/** A service for other plugins, which get what `create` returns by the same token. */
export const defineService = <C, T extends object>({token, version, create}: DefinedService<C, T>): PluginContribution<C> => ({
  contributes: (classFor) => {
    const name = serviceName(token as ServiceToken<never>);
    const className = classFor({kind: 'service', name, options: {}, create: create as ContributionSource['create']});
    return {provides: [{service: name, class: className, ...present({version})}]};
  },
});

interface DefinedService<C, T extends object> {
  readonly token: ServiceToken<T>;
  /** Semantic version of what it offers; that of the plugin by default. */
  readonly version?: string;
  /** Makes it, once for a server. `start` and `stop` are called if there are any. */
  readonly create: (context: PluginContext<C>) => NoInfer<T> & Lifecycle;
}

type Plain = 'authenticators' | 'authorizers' | 'webhookCallers' | 'auditSinks';

function ordered<C, R, Contract>(
  kind: ContributionKind,
  member: Plain,
  {create, name, ...options}: Ordered<OrderOptions, C, R, Contract>,
): PluginContribution<C> {
  return declared({kind, name, options, create}, (className) => ({[member]: [className]}));
}

function declared<C>(
  source: Omit<ContributionSource, 'create'> & {readonly create: (context: never) => unknown},
  contributes: (className: string) => PluginContributions,
): PluginContribution<C> {
  return {contributes: (classFor) => contributes(classFor(source as ContributionSource))};
}

function present<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
