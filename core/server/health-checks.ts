import {X509Certificate} from 'node:crypto';
import {setTimeout} from 'node:timers/promises';
import {StoreError, type Logger} from '../../sdk/index.js';
import type {ControllerRunner} from '../controllers/controller-runner.js';
import type {HealthCheck, HealthEndpoint} from '../http/health/health.js';
import type {Kernel} from '../kernel/kernel.js';

/** What is asked whether the server is well. */
export interface HealthParts {
  readonly kernel: Pick<Kernel, 'hasStarted' | 'plugins' | 'authorizerPlugins' | 'featureGates'>;
  /** Names of those that this server runs. */
  readonly controllerNames: readonly string[];
  /** Undefined until they are put together. */
  readonly controllers: () => Pick<ControllerRunner, 'isUp'> | undefined;
  /** Whether requests are scheduled. */
  readonly isFair: boolean;
  /** Certificate of the listener, in PEM; it may be replaced. */
  readonly servingCertificate: () => string | Buffer;
  /** Rejects while the store does not answer. */
  checkStore(): Promise<void>;
  /** Throws unless the server runs. */
  checkRunning(): void;
  readonly logger: Logger;
}

const everywhere: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];
/** What a restart does not mend is no matter of `/livez`: there, Kubernetes has its etcd too. */
const unlessLive: readonly HealthEndpoint[] = ['healthz', 'readyz'];

/** What stands behind a start hook of Kubernetes here. */
interface StartHook {
  readonly name: string;
  /** A plugin whose start does it; with it, the hook is there only if that plugin is. */
  readonly plugin?: string;
  /** As `plugin`, of an authorizer. */
  readonly authorizer?: string;
  /** A controller that runs, or waits for its turn to lead. */
  readonly controller?: string;
  /** Part of priority and fairness. */
  readonly fairness?: boolean;
  /** The hook is there only where this feature gate is on. */
  readonly gate?: string;
}

/** In the order in which kube-apiserver lists them. Those of what is not there, or made when it is first asked for, are left out. */
const startHooks: readonly StartHook[] = [
  {name: 'start-apiserver-admission-initializer'},
  {name: 'generic-apiserver-start-informers'},
  {name: 'priority-and-fairness-config-consumer', fairness: true},
  {name: 'priority-and-fairness-filter', fairness: true},
  {name: 'start-apiextensions-informers', plugin: 'apiextensions'},
  {name: 'start-apiextensions-controllers', plugin: 'apiextensions'},
  {name: 'crd-informer-synced', plugin: 'apiextensions'},
  {name: 'start-system-namespaces-controller', plugin: 'core'},
  {name: 'start-cluster-authentication-info-controller', controller: 'cluster-authentication'},
  {name: 'storage-readiness', gate: 'WatchCacheInitializationPostStartHook'},
  {name: 'start-legacy-token-tracking-controller', controller: 'legacy-token-tracking'},
  {name: 'start-service-ip-repair-controllers', controller: 'service-claims'},
  {name: 'rbac/bootstrap-roles', authorizer: 'rbac'},
  {name: 'scheduling/bootstrap-system-priority-classes', plugin: 'scheduling'},
  {name: 'priority-and-fairness-config-producer', controller: 'flow-control'},
  {name: 'bootstrap-controller', controller: 'server-endpoints'},
  {name: 'start-kubernetes-service-cidr-controller', controller: 'default-service-cidr', gate: 'MultiCIDRServiceAllocator'},
  {name: 'start-kube-aggregator-informers', controller: 'aggregator'},
  {name: 'apiservice-status-local-available-controller', controller: 'aggregator'},
  {name: 'apiservice-status-remote-available-controller', controller: 'aggregator'},
  {name: 'apiservice-discovery-controller', controller: 'aggregator'},
  {name: 'apiservice-registration-controller', controller: 'apiservice-registration'},
  {name: 'kube-apiserver-autoregistration', controller: 'apiservice-registration'},
];

/** What follows the hooks there. */
const afterHooks: readonly StartHook[] = [
  {name: 'autoregister-completion', controller: 'apiservice-registration'},
  {name: 'poststarthook/apiservice-openapi-controller', controller: 'aggregator'},
  {name: 'poststarthook/apiservice-openapiv3-controller', controller: 'aggregator'},
];

/** The health checks of a server, by the names that clients know from kube-apiserver, and `store`. */
export function healthChecks(parts: HealthParts): HealthCheck[] {
  const {logger, kernel} = parts;
  const store = sharedCall(() => parts.checkStore());
  const check = (name: string, run: HealthCheck['check'], endpoints = everywhere): HealthCheck => ({name, endpoints, check: run});
  return [
    // Lines are written at once, so that one that is written says that the next can be.
    check('log', () => logger.trace({}, 'the log can be written')),
    check('loopback-serving-certificate', () => checkCertificate(parts.servingCertificate()), ['healthz', 'livez']),
    check('store', store, unlessLive),
    check('etcd', store, unlessLive),
    check('etcd', unlessUnavailable(store), ['livez']),
    check('etcd-readiness', store, ['readyz']),
    check('informer-sync', startedServices(kernel), ['readyz']),
    ...[...startHooks.map((hook) => ({...hook, name: `poststarthook/${hook.name}`})), ...afterHooks].flatMap((hook) => {
      const run = hookCheck(hook, parts);
      return run ? [check(hook.name, run)] : [];
    }),
    check('shutdown', () => parts.checkRunning(), unlessLive),
  ];
}

/** One call for all that ask meanwhile. */
function sharedCall(call: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= call().finally(() => (running = undefined)));
}

/** How long `/livez` waits for the store to answer, in milliseconds. */
const liveMillis = 1000;

/** Fails for what a restart may mend, such as a store that was closed; not while the store cannot be reached, or is slow. */
function unlessUnavailable(call: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await Promise.race([call(), setTimeout(liveMillis, undefined, {ref: false})]);
    } catch (error) {
      if (!StoreError.is(error) || error.code !== 'Unavailable') throw error;
    }
  };
}

function checkCertificate(pem: string | Buffer): void {
  const {validTo} = new X509Certificate(pem);
  if (Date.parse(validTo) <= Date.now()) throw new Error(`the serving certificate expired at ${validTo}`);
}

function startedServices(kernel: HealthParts['kernel']): () => void {
  return () => {
    if (!kernel.hasStarted('services')) throw new Error('not finished');
  };
}

/** @returns undefined for a hook of something that this server does not have */
function hookCheck(hook: StartHook, {kernel, controllers, controllerNames, isFair}: HealthParts): (() => void) | undefined {
  const {plugin, authorizer, controller, fairness, gate} = hook;
  if (fairness && !isFair) return undefined;
  if (gate !== undefined && !kernel.featureGates.enabled(gate)) return undefined;
  if (plugin !== undefined && !kernel.plugins.some(({name, enabled}) => name === plugin && enabled)) return undefined;
  if (authorizer !== undefined && !kernel.authorizerPlugins.has(authorizer)) return undefined;
  if (controller === undefined) return startedServices(kernel);
  if (!controllerNames.includes(controller)) return undefined;
  let ended = false;
  return () => {
    // A controller that is started again later has been started.
    ended ||= controllers()?.isUp(controller) === true;
    if (!ended) throw new Error('not finished');
  };
}
