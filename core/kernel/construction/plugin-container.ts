import 'reflect-metadata';
import {container as processContainer, type DependencyContainer, type InjectionToken} from 'tsyringe';
import type {FeatureGates} from '../../../sdk/contracts/feature-gates.js';
import type {Logger} from '../../../sdk/contracts/logger.js';
import type {PluginContext} from '../../../sdk/plugin/plugin-context.js';
import {Tokens} from '../../../sdk/plugin/tokens.js';
import type {Bindings} from '../bindings.js';
import {errorDetail} from '../error-detail.js';
import {KernelError, problem} from '../kernel-error.js';
import {isServiceToken, serviceName, serviceToken} from '../../../sdk/plugin/service-token.js';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';
import {requirementsOf} from '../manifests/services.js';
import {misspelledMethod, missingMethod} from './contract-methods.js';
import {ConstructorFailures, injectedTokens, unspecifiedParameter} from './constructor-failures.js';
import type {Constructor, DeliveredClass} from '../loading/import-entry.js';

/** The values that all plugins of a kernel can inject. */
export interface OfferedValues {
  readonly logger: Logger;
  readonly featureGates: FeatureGates;
  /** Further values from the composition root. */
  readonly values: Bindings;
  /** Names of the services that plugins provide. */
  readonly services?: ReadonlySet<string>;
  /** A service that has been constructed. */
  readonly serviceNamed?: (name: string) => object | undefined;
}

/** The container of one kernel: registrations are not visible to other kernels. */
export function kernelContainer(): DependencyContainer {
  return processContainer.createChildContainer();
}

/** Constructs the classes of one plugin. */
export class PluginContainer {
  readonly #container: DependencyContainer;
  readonly #failures = new ConstructorFailures();
  readonly #instances = new Map<Constructor, object>();
  readonly #values: Bindings[] = [];
  readonly #plugin: LoadedPlugin;
  readonly #offered: OfferedValues;

  constructor(root: DependencyContainer, plugin: LoadedPlugin, offered: OfferedValues) {
    this.#plugin = plugin;
    this.#offered = offered;
    this.#container = root.createChildContainer();
    this.#container.register(Tokens.Config, {useValue: plugin.config as never});
    this.#container.register(Tokens.FeatureGates, {useValue: offered.featureGates});
    this.#offer(Tokens.Logger, () => offered.logger.child({plugin: plugin.name}));
    this.#offerServices();
    this.#offerContext(this.#container);
    this.offer(offered.values);
  }

  /** Offers more values to contributions that are constructed from now on. */
  offer(values: Bindings): void {
    this.#values.push(values);
    for (const [token, make] of values.forPlugins) this.#offer(token, () => make(this.#plugin.name));
  }

  /**
   * The single instance of a class, created on the first call.
   *
   * @throws KernelError (`CONSTRUCTION_FAILED`, `METHOD_MISSING`, `METHOD_MISSPELLED`)
   */
  construct(delivered: DeliveredClass): object {
    const known = this.#instances.get(delivered.constructor);
    if (known && delivered.kind !== 'controller') return known;
    const instance = this.constructAnother(delivered);
    this.#instances.set(delivered.constructor, instance);
    return instance;
  }

  /**
   * One more instance of a class.
   *
   * @throws KernelError (`CONSTRUCTION_FAILED`, `METHOD_MISSING`, `METHOD_MISSPELLED`)
   */
  constructAnother(delivered: DeliveredClass): object {
    const {class: name, kind} = delivered;
    const place = {plugin: this.#plugin.name, file: this.#plugin.file, path: delivered.path};
    const unspecified = unspecifiedParameter(delivered.constructor);
    if (unspecified !== undefined) {
      const detail = `parameter ${unspecified + 1} of its constructor has no @inject`;
      throw new KernelError([problem('CONSTRUCTION_FAILED', {class: name, detail}, place)]);
    }
    let instance: object;
    try {
      instance = this.#resolve(delivered);
    } catch (thrown) {
      const cause = this.#failures.take(thrown);
      // Without a remembered exception the text is tsyringe's own: an unknown token, an undecorated class.
      throw new KernelError([problem('CONSTRUCTION_FAILED', {class: name, detail: errorDetail(cause)}, {...place, cause})]);
    }
    const missing = missingMethod(kind, instance);
    if (missing !== undefined) throw new KernelError([problem('METHOD_MISSING', {kind, class: name, method: missing}, place)]);
    const slip = misspelledMethod(kind, instance);
    if (slip !== undefined) throw new KernelError([problem('METHOD_MISSPELLED', {kind, class: name, ...slip}, place)]);
    return instance;
  }

  #resolve({kind, index, constructor: target}: DeliveredClass): object {
    const container = kind === 'controller' ? this.#containerOfController(index) : this.#container;
    for (const token of injectedTokens(target)) this.#checkToken(token, container);
    this.#failures.watch(container, target);
    return container.resolve<object>(target);
  }

  #containerOfController(index: number): DependencyContainer {
    const {manifest, name} = this.#plugin;
    const declared = manifest.contributes!.controllers![index]!;
    const container = this.#container.createChildContainer();
    for (const {forControllers} of this.#values)
      for (const [token, make] of forControllers) this.#offer(token, () => make(name, declared), container);
    this.#offerContext(container);
    return container;
  }

  /** Registers the services that it requires; injecting another one fails with that reason. */
  #offerServices(): void {
    const required = new Set(requirementsOf(this.#plugin).map(({service}) => service));
    for (const name of this.#offered.services ?? []) {
      this.#offer(serviceToken(name), () => {
        if (!required.has(name))
          throw new Error(`it injects the service ${name} without requiring it: add {"service": "${name}"} to "requires"`);
        const service = this.#offered.serviceNamed?.(name);
        if (!service) throw new Error(`the service ${name} is not there yet; stores cannot use services`);
        return service;
      });
    }
  }

  #offerContext(container: DependencyContainer): void {
    const inject = <T>(token: InjectionToken<T>): T => {
      this.#checkToken(token, container);
      return container.resolve(token);
    };
    const context = (): PluginContext => ({config: this.#plugin.config, logger: inject(Tokens.Logger), inject});
    this.#offer(Tokens.Context, context, container);
  }

  /** @throws Error for what nothing is offered for: the container would speak of constructors and cycles */
  #checkToken(token: unknown, container: DependencyContainer): void {
    if (token === undefined || token === null) throw new Error(`inject was given ${String(token)}: there is no such token`);
    if (typeof token === 'function' || container.isRegistered(token as InjectionToken, true)) return;
    const name = typeof token === 'symbol' ? (token.description ?? '') : String(token);
    throw new Error(
      isServiceToken(token)
        ? `it injects the service ${serviceName(token as never)}, which no plugin provides`
        : `nothing is offered for the token ${name.replace(/^orch\.token\./, 'Tokens.')}`,
    );
  }

  #offer<T>(token: InjectionToken<T>, make: () => T, container = this.#container): void {
    let made: {readonly value: T} | undefined;
    container.register(token, {useFactory: () => (made ??= {value: this.#failures.guard(make)}).value});
  }
}
