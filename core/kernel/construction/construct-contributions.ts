import type {OrderOptions} from '../../../sdk/plugin/decorators.js';
import type {
  AdmissionContribution,
  AuthorizerContribution,
  Contribution,
  Contributions,
  ControllerContribution,
  RouteContribution,
} from '../contributions.js';
import {KernelError, type KernelProblem} from '../kernel-error.js';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';
import {declaredClasses, type DeclaredClass} from '../manifests/contributed-classes.js';
import {isLazy} from '../manifests/lazy-plugin.js';
import {usualOrder, type AuthorizationModes} from '../selection/authorization-modes.js';
import {importEntry, prepareToRequire, type DeliveredClass} from '../loading/import-entry.js';
import {lazyContributions} from './lazy-contributions.js';
import type {PluginContainer} from './plugin-container.js';

/** A plugin with its imported code, or with its problems. */
export interface ImportedPlugin {
  readonly plugin: LoadedPlugin;
  readonly classes: readonly DeliveredClass[];
  readonly problems: readonly KernelProblem[];
}

/** Which classes of the plugins are needed, and where they are constructed. */
export interface ConstructionPlan {
  /** In dependency order. */
  readonly plugins: readonly LoadedPlugin[];
  /** Those that are constructed at once, in the same order. */
  readonly imported: readonly ImportedPlugin[];
  readonly wants: (declared: DeclaredClass) => boolean;
  readonly modes: AuthorizationModes;
  readonly containerOf: (plugin: LoadedPlugin) => PluginContainer;
  /** Gets the services by name, as they are constructed. */
  readonly services: Map<string, object>;
  /** Wraps the instances for all calls except start and stop. */
  readonly attribute: (contribution: Contribution) => Contribution;
}

/**
 * Imports the plugins with needed classes, concurrently; lazy plugins are only prepared for a later import.
 *
 * @param importMillis how long the import of a plugin may take
 */
export async function importPlugins(
  plugins: readonly LoadedPlugin[],
  wants: (declared: DeclaredClass) => boolean,
  importMillis: number | undefined,
): Promise<ImportedPlugin[]> {
  await prepareToRequire(plugins.filter(isLazy));
  const wanted = plugins.filter((plugin) => !isLazy(plugin) && declaredClasses(plugin.manifest).some(wants));
  return Promise.all(
    wanted.map(async (plugin) => {
      try {
        return {plugin, classes: await importEntry(plugin, importMillis), problems: []};
      } catch (error) {
        if (!KernelError.is(error)) throw error;
        return {plugin, classes: [], problems: error.problems};
      }
    }),
  );
}

/**
 * Constructs the needed classes of imported plugins, once each, in dependency order. Lazy plugins are deferred: they
 * are among the contributions, but not in `inOrder`, which lists what must be started and stopped.
 *
 * @throws KernelError with the problems of all plugins
 */
export function constructContributions({plugins, imported, wants, modes, containerOf, services, attribute}: ConstructionPlan): {
  inOrder: Contribution[];
  contributions: Contributions;
} {
  const problems = imported.flatMap((each) => each.problems);
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (!KernelError.is(error)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };

  const inOrder: Contribution[] = [];
  for (const {plugin, classes} of imported) {
    const container = containerOf(plugin);
    for (const delivered of classes.filter(wants)) {
      const instance = attempt(() => container.construct(delivered));
      if (instance === undefined) continue;
      const made = contribution(plugin, delivered, instance, container, modes);
      // Later contributions may inject it.
      if (made.kind === 'service') services.set(made.name, attribute(made).instance);
      inOrder.push(made);
    }
  }
  KernelError.throwIfAny(problems);
  const later = plugins.filter(isLazy).flatMap((plugin) => lazyContributions(plugin, () => containerOf(plugin)));
  return {inOrder, contributions: sortByKind([...inOrder, ...later].map(attribute), modes)};
}

function contribution(
  plugin: LoadedPlugin,
  delivered: DeliveredClass,
  instance: object,
  container: PluginContainer,
  modes: AuthorizationModes,
): Contribution {
  const options: OrderOptions = delivered.record.options;
  const base = {
    kind: delivered.kind,
    plugin: plugin.name,
    class: delivered.class,
    name: delivered.name,
    order: options.order ?? usualOrder,
    options,
    instance,
  };
  if (delivered.kind === 'authorizer') {
    const {mode} = delivered;
    return {...base, mode, order: modes.orderOf(mode, options.order)} as AuthorizerContribution;
  }
  if (delivered.kind === 'controller') {
    const declared = plugin.manifest.contributes!.controllers![delivered.index]!;
    return {...base, declared, another: () => container.constructAnother(delivered)} as ControllerContribution;
  }
  if (delivered.kind === 'admission')
    return {...base, options, isAsync: isAsync(instance, 'admit') || isAsync(instance, 'validate')} as AdmissionContribution;
  if (delivered.kind !== 'route') return base;
  const {path, methods, longRunning, public: isPublic} = plugin.manifest.contributes!.routes![delivered.index]!;
  return {...base, path, methods, longRunning, isPublic} as RouteContribution;
}

function isAsync(instance: object, method: string): boolean {
  return Object.prototype.toString.call((instance as Readonly<Record<string, unknown>>)[method]) === '[object AsyncFunction]';
}

function sortByKind(all: readonly Contribution[], modes: AuthorizationModes): Contributions {
  const of = (kind: Contribution['kind']) => all.filter((entry) => entry.kind === kind).sort((left, right) => modes.compare(left, right));
  // Construction has checked that each instance implements its kind's contract.
  return {
    authenticators: of('authenticator'),
    authorizers: of('authorizer'),
    admission: of('admission'),
    strategies: of('strategy'),
    virtualResources: of('virtualResource'),
    webhookCallers: of('webhookCaller'),
    auditSinks: of('auditSink'),
    controllers: of('controller'),
    routes: of('route'),
  } as unknown as Contributions;
}
