import {KernelError, problem, type KernelProblem} from '../kernel-error.js';
import {configuredPlugins, type PluginsConfiguration} from './plugins-configuration.js';
import {checkManifest} from '../manifests/check-manifest.js';
import type {PluginDefinition} from '../../../sdk/plugin/define/define-plugin.js';
import {dependencyOrder} from '../manifests/dependency-order.js';
import {discover, isModule} from '../manifests/discover.js';
import type {PluginLocation} from '../manifests/plugin-location.js';
import {readManifest, type FoundPlugin} from '../manifests/read-manifest.js';
import {Providers, requirementsOf} from '../manifests/services.js';

/** Where the plugins of a catalogue come from. */
export interface CatalogueOptions {
  /** Folders that are searched for plugins; none by default. */
  readonly pluginRoots?: readonly string[];
  /** Whether to use the build's index of its own plugins (`manifests.json`); true by default. */
  readonly useIndex?: boolean;
  /** Further plugins: folders, `plugin.json` files, modules, npm packages, or plugins that the program defines itself. */
  readonly plugins?: readonly (string | PluginDefinition)[] | undefined;
  /** References are relative to it; the working directory of the process by default. */
  readonly cwd?: string;
  /** Further plugins by name; one without `from` is among the others. */
  readonly configuration?: {readonly plugins?: PluginsConfiguration} | undefined;
  /** As in `SelectionOptions`. */
  readonly optionName?: (name: string) => string;
}

/**
 * All available plugins, enabled or not, in dependency order. Built from manifests: code is imported only where a plugin has a module that defines it
 * in place of one. Problems are collected, not thrown, so that they can be reported with those found later.
 */
export class PluginCatalogue {
  private constructor(
    readonly plugins: readonly FoundPlugin[],
    readonly problems: readonly KernelProblem[],
    /** Names of plugins that exist but whose manifest cannot be used. */
    readonly broken: ReadonlySet<string>,
  ) {}

  static async read(options: CatalogueOptions = {}): Promise<PluginCatalogue> {
    const configured = new Map<string, string>();
    for (const [name, {from}] of configuredPlugins(options.configuration?.plugins)) if (from !== undefined) configured.set(name, from);
    const {locations, problems, missing} = discover({
      roots: options.pluginRoots ?? [],
      references: options.plugins ?? [],
      option: options.optionName?.('plugins') ?? 'plugins',
      configured,
      useIndex: options.useIndex ?? true,
      cwd: options.cwd ?? process.cwd(),
    });

    // A configured plugin that is not found is broken, not unknown.
    const broken = new Set<string>(missing);
    const byName = new Map<string, FoundPlugin>();
    for (const location of locations) {
      const {plugin, problems: faults} = isModule(location.file) ? await readModule(location) : readManifest(location);
      problems.push(...faults);
      if (plugin === undefined) {
        for (const fault of faults) if (fault.plugin !== undefined) broken.add(fault.plugin);
        if (location.expectedName !== undefined) broken.add(location.expectedName);
        continue;
      }
      const first = byName.get(plugin.name);
      if (first !== undefined) {
        problems.push(problem('DUPLICATE_PLUGIN', {other: first.file}, {plugin: plugin.name, file: plugin.file, path: 'name'}));
        continue;
      }
      byName.set(plugin.name, plugin);
      problems.push(...checkManifest(plugin));
    }

    const providers = new Providers(byName.values());
    const required = (plugin: FoundPlugin) => requirementsOf(plugin).map((requirement) => providers.namesFor(requirement));
    const {order, cycles} = dependencyOrder([...byName.values()].map((plugin) => ({...plugin, requires: required(plugin).flat()})));
    for (const cycle of cycles) {
      const first = byName.get(cycle[0]!)!;
      const path = `requires[${required(first).findIndex((names) => names.includes(cycle[1]!))}]`;
      problems.push(problem('REQUIREMENT_CYCLE', {cycle: cycle.join(' → ')}, {plugin: first.name, file: first.file, path}));
    }
    return new PluginCatalogue(
      order.map(({name}) => byName.get(name)!),
      problems,
      broken,
    );
  }

  get(name: string): FoundPlugin | undefined {
    return this.plugins.find((plugin) => plugin.name === name);
  }
}

/** Reads the manifest of a plugin that a module defines. */
async function readModule(location: PluginLocation): Promise<ReturnType<typeof readManifest>> {
  const {importDefinition} = await import('../loading/import-definition.js');
  try {
    return readManifest({...location, definition: await importDefinition(location)});
  } catch (error) {
    if (!KernelError.is(error)) throw error;
    return {problems: [...error.problems]};
  }
}
