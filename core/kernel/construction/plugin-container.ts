import 'reflect-metadata';
import {container as processContainer, type DependencyContainer, type InjectionToken} from 'tsyringe';
import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import type {Logger} from '../../../sdk/contracts/logger.js';
import {Tokens} from '../../../sdk/plugin/tokens.js';
import {errorDetail} from '../error-detail.js';
import {KernelError, problem} from '../kernel-error.js';
import type {LoadedPlugin} from '../loaded-plugin.js';
import {ConstructorFailures, unspecifiedParameter} from './constructor-failures.js';
import type {Constructor, DeliveredClass} from './import-entry.js';

/** Creates what a plugin's constructors inject for a token; called with the plugin's name, once per plugin, on first use. */
export type ValueFactory = (plugin: string) => unknown;

/** What all plugins of a kernel can inject. */
export interface OfferedValues {
  readonly logger: Logger;
  readonly featureGates: FeatureGates;
  /** What the composition root provides in addition. */
  readonly values: ReadonlyMap<InjectionToken, ValueFactory>;
}

/** A kernel's own container: no other kernel sees what is registered in it. */
export function kernelContainer(): DependencyContainer {
  return processContainer.createChildContainer();
}

/** Constructs the classes of one plugin. */
export class PluginContainer {
  readonly #container: DependencyContainer;
  readonly #failures = new ConstructorFailures();
  readonly #instances = new Map<Constructor, object>();
  readonly #plugin: LoadedPlugin;

  constructor(root: DependencyContainer, plugin: LoadedPlugin, offered: OfferedValues) {
    this.#plugin = plugin;
    this.#container = root.createChildContainer();
    this.#container.register(Tokens.Config, {useValue: plugin.config});
    this.#container.register(Tokens.FeatureGates, {useValue: offered.featureGates});
    this.#offer(Tokens.Logger, () => offered.logger.child({plugin: plugin.name}));
    for (const [token, factory] of offered.values) this.#offer(token, () => factory(plugin.name));
  }

  /**
   * The single instance of a class, created on the first call.
   *
   * @throws KernelError (`CONSTRUCTION_FAILED`, `METHOD_MISSING`)
   */
  construct(delivered: DeliveredClass): object {
    const {class: name, kind} = delivered;
    const place = {plugin: this.#plugin.name, file: this.#plugin.file, path: delivered.path};
    const unspecified = unspecifiedParameter(delivered.constructor);
    if (unspecified !== undefined) {
      const detail = `parameter ${unspecified + 1} of its constructor has no @inject`;
      throw new KernelError([problem('CONSTRUCTION_FAILED', {class: name, detail}, place)]);
    }
    let instance = this.#instances.get(delivered.constructor);
    try {
      instance ??= this.#resolve(delivered.constructor);
    } catch (thrown) {
      const cause = this.#failures.take(thrown);
      // Without a remembered exception the text is tsyringe's own: an unknown token, an undecorated class.
      throw new KernelError([problem('CONSTRUCTION_FAILED', {class: name, detail: errorDetail(cause)}, {...place, cause})]);
    }
    const missing = missingMethod(kind, instance);
    if (missing !== undefined) throw new KernelError([problem('METHOD_MISSING', {kind, class: name, method: missing}, place)]);
    this.#instances.set(delivered.constructor, instance);
    return instance;
  }

  #resolve(target: Constructor): object {
    this.#failures.watch(this.#container, target);
    return this.#container.resolve<object>(target);
  }

  #offer<T>(token: InjectionToken<T>, make: () => T): void {
    let made: {readonly value: T} | undefined;
    this.#container.register(token, {useFactory: () => (made ??= {value: this.#failures.guard(make)}).value});
  }
}

/** Methods that a contribution needs; it must have at least one of its row. */
const contracts: Readonly<Record<DeliveredClass['kind'], readonly (readonly string[])[]>> = {
  store: [['open']],
  strategy: [],
  virtualResource: [['create', 'get', 'list', 'connect', 'upgrade']],
  authenticator: [['authenticate']],
  authorizer: [['authorize']],
  admission: [['admit', 'validate']],
  webhookCaller: [['call']],
  auditSink: [['write']],
  controller: [['start'], ['stop']],
  route: [['handle']],
};

function missingMethod(kind: DeliveredClass['kind'], instance: object): string | undefined {
  const has = (name: string) => typeof (instance as Record<string, unknown>)[name] === 'function';
  return contracts[kind].find((names) => !names.some(has))?.join(' or ');
}
