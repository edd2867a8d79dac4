import type {Contribution} from '../contributions.js';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';
import {declaredClasses} from '../manifests/contributed-classes.js';
import {requireEntry, type DeliveredClass} from '../loading/import-entry.js';
import type {PluginContainer} from './plugin-container.js';

/**
 * The strategies and handlers of a lazy plugin. The first access to any `instance` imports the plugin's code; each class is constructed on
 * first access, and so is their container. Access throws a KernelError for problems that start-up reports for other plugins; `orch plugins check` finds them in advance.
 */
export function lazyContributions(plugin: LoadedPlugin, containerOf: () => PluginContainer): Contribution[] {
  let classes: readonly DeliveredClass[] | undefined;
  return declaredClasses(plugin.manifest).map(({kind, class: exported, name}, index) => {
    let instance: object | undefined;
    return {
      kind,
      plugin: plugin.name,
      class: exported,
      name,
      // Nobody asks strategies and handlers in order, and their decorators take no options.
      order: 500,
      options: {},
      get instance() {
        if (instance === undefined) {
          classes ??= requireEntry(plugin);
          instance = containerOf().construct(classes[index]!);
        }
        return instance;
      },
    };
  });
}
