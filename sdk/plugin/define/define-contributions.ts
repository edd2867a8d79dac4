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
import {rulesOfOptions, type AdmissionOptions, type AuthenticatorOptions, type ContributionKind, type OrderOptions} from '../decorators.js';
import type {
  AdmissionContribution,
  AuthorizerContribution,
  ControllerContribution,
  PluginContributions,
  RouteContribution,
  StoreContribution,
} from '../manifest.js';
import {anything, boolean, checkOptions, method, needed, text, texts, type OptionRules} from '../option-rules.js';
import type {PluginContext} from '../plugin-context.js';
import {isServiceToken, serviceName, type ServiceToken} from '../service-token.js';
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

/** An authorizer: whether a caller may do what it asks for. With `mode` it is one that `--authorization-mode` puts in its place. */
export const defineAuthorizer = <C, R extends Authorizer>(
  definition: Ordered<OrderOptions & Partial<Omit<AuthorizerContribution, 'class'>>, C, R, Authorizer & Lifecycle>,
): PluginContribution<C> => {
  checkDefinition('authorizer', definition, {...named, ...rulesOfOptions('authorizer'), mode: text, enabledByDefault: boolean});
  const {create, name, mode, enabledByDefault, ...options} = definition;
  return declared({kind: 'authorizer', name, options, create}, (className) => ({
    authorizers: [mode === undefined ? className : {class: className, mode, ...present({enabledByDefault})}],
  }));
};

/** Makes the outbound calls of all plugins, or passes them on to the next by order. */
export const defineWebhookCaller = <C, R extends ChainedWebhookCaller>(
  definition: Ordered<OrderOptions, C, R, ChainedWebhookCaller & Lifecycle>,
): PluginContribution<C> => ordered('webhookCaller', 'webhookCallers', definition);

/** Gets the events of the audit log. */
export const defineAuditSink = <C, R extends AuditSink>(
  definition: Ordered<OrderOptions, C, R, AuditSink & Lifecycle>,
): PluginContribution<C> => ordered('auditSink', 'auditSinks', definition);

/** A policy about writes. */
export const defineAdmission = <C, R extends AdmissionController>(
  definition: Defined<AdmissionContribution, C, R, AdmissionController & Lifecycle> & AdmissionOptions,
): PluginContribution<C> => {
  checkDefinition('admission', definition, {...named, ...rulesOfOptions('admission'), enabledByDefault: anything, featureGate: anything});
  const {create, name, enabledByDefault, featureGate, ...options} = definition;
  return declared({kind: 'admission', name, options, create}, (className) => ({
    admission: [{class: className, name, ...present({enabledByDefault, featureGate})}],
  }));
};

/** A loop that brings objects to their desired state. What it is created as may be a `Reconciler` of `@orch-api/orch/sdk/controllers`. */
export const defineController = <C, R extends Controller>(
  definition: Defined<ControllerContribution, C, R, Controller | Reconciler>,
): PluginContribution<C> => {
  checkDefinition('controller', definition, {
    ...named,
    aliases: anything,
    enabledByDefault: anything,
    featureGate: anything,
    set: anything,
    leaderElection: anything,
    serviceAccount: anything,
    permissions: anything,
  } satisfies OptionRules<keyof typeof definition>);
  const {create, ...declaration} = definition;
  return declared({kind: 'controller', name: declaration.name, options: {}, create}, (className) => ({
    controllers: [{class: className, ...present(declaration)}],
  }));
};

/** A path outside the resource tree, or everything below one. */
export const defineRoute = <C, R extends Route>(definition: Defined<RouteContribution, C, R, Route & Lifecycle>): PluginContribution<C> => {
  const rules = {create: needed(method), path: needed(text), methods: needed(texts), longRunning: boolean, public: boolean};
  checkDefinition('route', definition, rules satisfies OptionRules<keyof typeof definition>);
  const {create, ...declaration} = definition;
  return declared({kind: 'route', name: declaration.path, options: {}, create}, (className) => ({
    routes: [{class: className, ...present(declaration)}],
  }));
};

/** Opens stores by the scheme of `--store`. Messages call it by `name`, or by its first scheme. */
export const defineStore = <C, R extends StoreProvider>(
  definition: Defined<StoreContribution, C, R, StoreProvider> & Partial<Named>,
): PluginContribution<C> => {
  const rules = {create: needed(method), name: text, schemes: needed(texts)};
  checkDefinition('store', definition, rules satisfies OptionRules<keyof typeof definition>);
  const {create, name, ...declaration} = definition;
  return declared({kind: 'store', name: name ?? declaration.schemes[0]!, options: {}, create}, (className) => ({
    stores: [{class: className, ...declaration}],
  }));
};

/** A service for other plugins, which get what `create` returns by the same token. */
export const defineService = <C, T extends object>(definition: DefinedService<C, T>): PluginContribution<C> => {
  const rules = {create: needed(method), token: needed(serviceRule), version: text};
  checkDefinition('service', definition, rules satisfies OptionRules<keyof typeof definition>);
  const {token, version, create} = definition;
  return {
    contributes: (classFor) => {
      const name = serviceName(token as ServiceToken<never>);
      const className = classFor({kind: 'service', name, options: {}, create: create as ContributionSource['create']});
      return {provides: [{service: name, class: className, ...present({version})}]};
    },
  };
};

interface DefinedService<C, T extends object> {
  readonly token: ServiceToken<T>;
  /** Semantic version of what it offers; that of the plugin by default. */
  readonly version?: string;
  /** Makes it, once for a server. `start` and `stop` are called if there are any. */
  readonly create: (context: PluginContext<C>) => NoInfer<T> & Lifecycle;
}

type Plain = 'authenticators' | 'webhookCallers' | 'auditSinks';

const named: OptionRules<'name' | 'create'> = {name: needed(text), create: needed(method)};
const serviceRule = (value: unknown) => (isServiceToken(value) ? undefined : 'must be what serviceToken returned');

/** @throws TypeError with what is wrong with a definition that no compiler has seen */
function checkDefinition(kind: ContributionKind, definition: object, rules: OptionRules): void {
  const name = (definition as {readonly name?: unknown} | undefined)?.name;
  const subject = `define${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  checkOptions(typeof name === 'string' ? `${subject} ${name}` : subject, definition, rules);
}

function ordered<C, R, Contract>(
  kind: ContributionKind,
  member: Plain,
  definition: Ordered<OrderOptions, C, R, Contract>,
): PluginContribution<C> {
  checkDefinition(kind, definition, {...named, ...rulesOfOptions(kind)});
  const {create, name, ...options} = definition;
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
