import type {DependencyContainer} from 'tsyringe';
import type {FeatureGates} from '../../sdk/contracts/feature-gates.js';
import type {Logger} from '../../sdk/contracts/logger.js';
import type {StoreProvider} from '../../sdk/contracts/store.js';
import {originOf, withOrigin, type ErrorOrigin} from '../../sdk/errors/error-origin.js';
import type {ContributionKind} from '../../sdk/plugin/decorators.js';
import {attributed, type Attribution} from './attribution/attributed.js';
import {HookCalls} from './attribution/hook-calls.js';
import {pluginOfStack} from './attribution/plugin-of-stack.js';
import {Bindings} from './bindings.js';
import type {ImportedPlugin} from './construction/construct-contributions.js';
import type * as Containers from './construction/plugin-container.js';
import type {Contribution, Contributions} from './contributions.js';
import {modesOf} from './selection/authorization-modes.js';
import {KernelError, problem} from './kernel-error.js';
import {Lifecycle, type LifecycleTimeouts} from './lifecycle.js';
import type {LoadedPlugin} from './manifests/loaded-plugin.js';
import {declaredClasses, type DeclaredClass} from './manifests/contributed-classes.js';
import {contributedResources, type ContributedResource} from './manifests/contributed-resources.js';
import {nameList} from './nearest-name.js';
import {select, type Selected} from './selection/select.js';
import type {SelectionOptions} from './selection/selection-options.js';

export interface KernelOptions extends SelectionOptions {
  readonly logger: Logger;
  /** Values that plugins can inject in addition to `Tokens.Config`, `Tokens.Logger` and `Tokens.FeatureGates`; store providers get only these three. */
  readonly values?: Bindings;
  readonly timeouts?: LifecycleTimeouts;
  readonly hooks?: HookSettings;
}

/** How calls of plugins are watched. */
export interface HookSettings {
  /** Calls that take longer are logged with the plugin's name; 0, the default, for none. In milliseconds. */
  readonly slowMillis?: number;
  /** Whether results of plugins are checked against their contracts, and read-only arguments are frozen. */
  readonly strict?: boolean;
  /** Called after each call of a method of a third-party plugin, with the time for which it blocked the event loop. */
  readonly returned?: (hook: ErrorOrigin, millis: number) => void;
}

/** `services`: everything but controllers. `controllers`: started once everything else works. */
export type LifecyclePhase = 'services' | 'controllers';

/**
 * The lifecycle of plugins: manifests → graph → construct → start → stop. Kernels are independent of each other.
 *
 * `load` imports no code. `storeProvider` and `construct` import only the plugins whose classes they need; lazy ones are imported on the
 * first access to an `instance`.
 */
export class Kernel {
  readonly #lifecycle: Lifecycle;
  readonly #calls: HookCalls;
  readonly #containers = new Map<string, Containers.PluginContainer>();
  /** What constructors can inject, in the order in which it is there. */
  readonly #values: Bindings[];
  /** All plugins by name. */
  readonly #byName: ReadonlyMap<string, LoadedPlugin>;
  readonly #serviceNames: ReadonlySet<string>;
  #imported: Promise<readonly ImportedPlugin[]> | undefined;
  #constructed: Promise<{inOrder: Contribution[]; contributions: Contributions}> | undefined;
  #contributions: Contributions | undefined;
  readonly #startedPhases = new Set<LifecyclePhase>();
  #root: DependencyContainer | undefined;
  /** By name. */
  readonly #services = new Map<string, object>();
  readonly #options: KernelOptions;
  readonly #logger: Logger;
  readonly #selected: Selected;

  private constructor(options: KernelOptions, selected: Selected) {
    this.#options = options;
    this.#selected = selected;
    this.#logger = options.logger.child({part: 'kernel'});
    this.#values = [options.values ?? new Bindings()];
    this.#byName = new Map(selected.plugins.map((plugin) => [plugin.name, plugin]));
    this.#serviceNames = new Set(selected.plugins.flatMap(({manifest}) => (manifest.provides ?? []).map(({service}) => service)));
    this.#lifecycle = new Lifecycle(this.#logger, options.timeouts);
    this.#calls = new HookCalls(options.logger, options.hooks?.slowMillis ?? 0, options.hooks?.returned);
  }

  /**
   * Finds the plugins and checks everything that can be checked without their code.
   *
   * @throws KernelError with all problems of all plugins
   */
  static async load(options: KernelOptions): Promise<Kernel> {
    const {selected, problems} = await select(options);
    const kernel = new Kernel(options, selected);
    // Modules that define plugins are imported here.
    await kernel.#logged(Promise.resolve().then(() => KernelError.throwIfAny(problems)));
    const enabled = selected.plugins.filter((plugin) => plugin.enabled).map((plugin) => plugin.name);
    kernel.#logger.debug({plugins: enabled}, 'plugins chosen');
    return kernel;
  }

  /** All plugins that were found, in dependency order, including disabled ones. */
  get plugins(): readonly LoadedPlugin[] {
    return this.#selected.plugins;
  }

  get featureGates(): FeatureGates {
    return this.#selected.featureGates;
  }

  /** Names of the admission controllers that run. */
  get admission(): ReadonlySet<string> {
    return this.#selected.admission;
  }

  /** Names of the plugins with authorizers that are asked. */
  get authorizerPlugins(): ReadonlySet<string> {
    const isAsked = (declared: DeclaredClass) => declared.kind === 'authorizer' && this.#wants(declared);
    return new Set(
      this.#enabled()
        .filter(({manifest}) => declaredClasses(manifest).some(isAsked))
        .map(({name}) => name),
    );
  }

  /** Every authorization mode that a plugin has, whether it takes part or not. */
  authorizationModes(): string[] {
    return modesOf(this.plugins.map(({manifest}) => manifest));
  }

  /** The resource types of the enabled plugins, in dependency order. */
  resources(): readonly ContributedResource[] {
    return contributedResources(this.#enabled());
  }

  /**
   * Constructs the class that opens a store.
   *
   * @param url selects it by the part before `://`, or by the whole word
   * @throws KernelError (`UNKNOWN_STORE`, `PLUGIN_DISABLED`, and those of importing and constructing)
   */
  async storeProvider(url: string): Promise<StoreProvider> {
    const {plugin, scheme} = this.storeOwner(url);
    const {importEntry} = await import('./loading/import-entry.js');
    const index = plugin.manifest.contributes!.stores!.findIndex((store) => store.schemes.includes(scheme));
    const delivered = (await this.#logged(importEntry(plugin))).find((entry) => entry.kind === 'store' && entry.index === index)!;
    const container = this.#containerOf(plugin, await loadContainers());
    const provider = (await this.#logged((async () => container.construct(delivered))())) as StoreProvider;
    return attributed(provider, this.#attribution(plugin, delivered.kind, delivered.name));
  }

  /**
   * The plugin that opens a store.
   *
   * @throws KernelError (`UNKNOWN_STORE`, `PLUGIN_DISABLED`)
   */
  storeOwner(url: string): {readonly plugin: LoadedPlugin; readonly scheme: string} {
    const path = this.#options.optionName?.('store') ?? 'store';
    const scheme = url.split('://', 1)[0]!;
    const schemes = (plugin: LoadedPlugin) => (plugin.manifest.contributes?.stores ?? []).flatMap((store) => store.schemes);
    const owners = this.plugins.filter((plugin) => schemes(plugin).includes(scheme));
    const plugin = owners.find((owner) => owner.enabled);
    if (plugin === undefined) {
      const known = nameList(this.#enabled().flatMap(schemes));
      if (owners.length === 0) throw new KernelError([problem('UNKNOWN_STORE', {url: scheme, known}, {path})]);
      throw new KernelError([problem('PLUGIN_DISABLED', {what: `the store ${scheme}`, plugin: owners[0]!.name}, {path})]);
    }
    return {plugin, scheme};
  }

  /** Imports the code that `construct` needs, so that other work can be done concurrently. `construct` throws its problems. */
  async importPlugins(): Promise<void> {
    await this.#import();
  }

  /**
   * Constructs every enabled contribution except stores. Repeated calls return the same result.
   *
   * @param values injectable values in addition to those of the options
   * @throws KernelError with the problems of all plugins
   */
  async construct(values?: Bindings): Promise<Contributions> {
    return (await this.#logged(this.#construction(values))).contributions;
  }

  /** The constructed contributions. @throws Error before `construct` */
  get contributions(): Contributions {
    if (!this.#contributions) throw new Error('plugins are not constructed yet: use them from start on, not in constructors');
    return this.#contributions;
  }

  /** Whether everything of a phase has been started. */
  hasStarted(phase: LifecyclePhase): boolean {
    return this.#startedPhases.has(phase);
  }

  /**
   * Starts the contributions of a phase in dependency order, each within its time limit. On failure everything that was started is stopped.
   *
   * @param signal cancels the start
   * @throws KernelError
   */
  async start(phase: LifecyclePhase, signal?: AbortSignal): Promise<void> {
    const {inOrder} = await this.#construction();
    const wanted = inOrder.filter(({kind}) => (kind === 'controller') === (phase === 'controllers'));
    await this.#logged(this.#lifecycle.start(wanted, signal));
    this.#startedPhases.add(phase);
  }

  /**
   * Calls `bootstrap` of all started contributions, because the objects that they created at the start have been lost.
   *
   * @throws KernelError with every failure, after trying all
   */
  bootstrap(): Promise<void> {
    return this.#lifecycle.bootstrap();
  }

  /**
   * Stops everything that was started, in reverse order, each within its time limit.
   *
   * @throws KernelError with every failure, after all were tried
   */
  stop(): Promise<void> {
    return this.#lifecycle.stop().finally(() => this.#calls.stop());
  }

  /** Logs errors of plugins with their stacks, which the message of a KernelError lacks. */
  async #logged<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      for (const {plugin, code, message, cause} of KernelError.is(error) ? error.problems : [])
        if (cause instanceof Error && code !== 'START_ABORTED') this.#logger.error({plugin, err: cause}, message);
      throw error;
    }
  }

  /** For an error that nothing caught: finds out by its stack which plugin's it is, and records that. @returns the name of the plugin */
  claim(error: unknown): string | undefined {
    const known = originOf(error)?.plugin;
    if (known !== undefined) return known;
    const plugin = pluginOfStack(error, this.plugins);
    if (plugin !== undefined) withOrigin(error, {plugin, hook: 'a timer, event or promise'});
    return plugin;
  }

  #enabled(): LoadedPlugin[] {
    return this.plugins.filter((plugin) => plugin.enabled);
  }

  #import(): Promise<readonly ImportedPlugin[]> {
    return (this.#imported ??= import('./construction/construct-contributions.js').then(({importPlugins}) =>
      importPlugins(this.#enabled(), (declared) => this.#wants(declared), this.#options.timeouts?.importMillis),
    ));
  }

  #construction(values?: Bindings): Promise<{inOrder: Contribution[]; contributions: Contributions}> {
    return (this.#constructed ??= this.#constructAll(values ?? new Bindings()));
  }

  async #constructAll(values: Bindings): Promise<{inOrder: Contribution[]; contributions: Contributions}> {
    const [{constructContributions}, library, imported] = await Promise.all([
      import('./construction/construct-contributions.js'),
      loadContainers(),
      this.#import(),
    ]);
    for (const container of this.#containers.values()) container.offer(values);
    this.#values.push(values);
    const result = constructContributions({
      plugins: this.#enabled(),
      imported,
      wants: (declared) => this.#wants(declared),
      modes: this.#selected.authorizationModes,
      containerOf: (plugin) => this.#containerOf(plugin, library),
      services: this.#services,
      attribute: (contribution) => this.#attributed(contribution),
    });
    this.#contributions = result.contributions;
    const names = (list: readonly Contribution[]) => list.map((entry) => entry.name);
    const {authenticators, authorizers, admission, controllers} = result.contributions;
    this.#logger.debug(
      {
        authenticators: names(authenticators),
        authorizers: names(authorizers),
        admission: names(admission),
        controllers: names(controllers),
      },
      'order of the chains',
    );
    return result;
  }

  /** Controllers are only started and stopped, which names them. */
  #attributed(contribution: Contribution): Contribution {
    const {plugin, kind, name} = contribution;
    if (kind === 'controller') return contribution;
    const attribution = this.#attribution(this.#byName.get(plugin)!, kind, name);
    const members = Object.getOwnPropertyDescriptors(contribution);
    if (members.instance.get === undefined) return {...contribution, instance: attributed(contribution.instance, attribution)};
    // The instance of a lazy plugin is created on first access.
    let instance: object | undefined;
    const get = () => (instance ??= attributed(contribution.instance, attribution));
    return Object.defineProperties({}, {...members, instance: {enumerable: true, get}}) as Contribution;
  }

  #attribution({name: plugin, source}: LoadedPlugin, kind: ContributionKind, name: string): Attribution {
    return {plugin, kind, name, isForeign: source !== 'root', isStrict: this.#options.hooks?.strict ?? false, calls: this.#calls};
  }

  /** Whether a controller takes part. */
  hasController(name: string): boolean {
    return this.#selected.controllers.has(name);
  }

  #wants({kind, name, mode}: DeclaredClass): boolean {
    if (kind === 'store') return false;
    if (kind === 'authorizer') return this.#selected.authorizationModes.asks(mode);
    if (kind === 'admission') return this.#selected.admission.has(name);
    return kind !== 'controller' || this.hasController(name);
  }

  #containerOf(plugin: LoadedPlugin, {kernelContainer, PluginContainer}: typeof Containers): Containers.PluginContainer {
    const known = this.#containers.get(plugin.name);
    if (known) return known;
    const [values, ...later] = this.#values;
    const container = new PluginContainer((this.#root ??= kernelContainer()), plugin, {
      logger: this.#options.logger,
      featureGates: this.featureGates,
      values: values!,
      services: this.#serviceNames,
      serviceNamed: (name) => this.#services.get(name),
    });
    for (const more of later) container.offer(more);
    this.#containers.set(plugin.name, container);
    return container;
  }
}

/** tsyringe is loaded when the first class is constructed. */
function loadContainers(): Promise<typeof Containers> {
  return import('./construction/plugin-container.js');
}
