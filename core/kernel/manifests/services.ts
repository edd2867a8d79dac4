import type {PluginRequirement, ServiceRequirement} from '../../../sdk/plugin/manifest.js';
import type {FoundPlugin} from './read-manifest.js';

/** A requirement of a plugin: another plugin by name, or a service of any plugin. */
export type Requirement = (PluginRequirement & {readonly service?: undefined}) | (ServiceRequirement & {readonly plugin?: undefined});

export function requirementsOf({manifest}: Pick<FoundPlugin, 'manifest'>): Requirement[] {
  return (manifest.requires ?? []).map((each) => (typeof each === 'string' ? {plugin: each} : each));
}

/** Requirements as texts, for people. */
export function requirementTexts(plugin: Pick<FoundPlugin, 'manifest'>): string[] {
  return requirementsOf(plugin).map(
    ({plugin: name, service, version}) => `${name ?? `service ${service}`}${version === undefined ? '' : ` ${version}`}`,
  );
}

/** Which plugins provide which service. */
export class Providers {
  readonly #byService = new Map<string, FoundPlugin[]>();

  constructor(plugins: Iterable<FoundPlugin>) {
    for (const plugin of plugins)
      for (const {service} of plugin.manifest.provides ?? [])
        this.#byService.set(service, [...(this.#byService.get(service) ?? []), plugin]);
  }

  /** Those that provide a service, in the order given. */
  of(service: string): readonly FoundPlugin[] {
    return this.#byService.get(service) ?? [];
  }

  /** Names of the plugins that may meet a requirement. */
  namesFor({plugin, service}: Requirement): string[] {
    return plugin === undefined ? this.of(service).map(({name}) => name) : [plugin];
  }
}
