import type {ResourceDefinition} from '../../../sdk/contracts/resource-definition.js';
import {durationMillis} from '../../../sdk/values/duration.js';
import type {LoadedPlugin} from './loaded-plugin.js';
import type {FoundPlugin} from './read-manifest.js';

/** A resource type as its plugin contributes it. */
export interface ContributedResource {
  readonly plugin: string;
  /** Folder to which the schema references of the definition are relative. */
  readonly folder: string;
  readonly definition: ResourceDefinition;
}

/** The resource types of plugins, in their order, with what settings say about them; those must have been checked (`lifetimeProblems`). */
export function contributedResources(plugins: readonly (FoundPlugin | LoadedPlugin)[]): ContributedResource[] {
  return plugins.flatMap((plugin) =>
    (plugin.manifest.contributes?.resources ?? []).map((definition) => ({
      plugin: plugin.name,
      folder: plugin.folder,
      definition: withLifetime(definition, 'config' in plugin ? plugin.config : {}),
    })),
  );
}

function withLifetime(definition: ResourceDefinition, config: Readonly<Record<string, unknown>>): ResourceDefinition {
  const {ttlSetting, ...behaviour} = definition.behaviour ?? {};
  if (ttlSetting === undefined) return definition;
  const seconds = lifetimeOf(config[ttlSetting]);
  return {...definition, behaviour: {...behaviour, ...(seconds ? {ttlSeconds: seconds} : {})}};
}

/** How long objects stay by a setting, in seconds; 0 for ever; undefined for values that say nothing. */
export function lifetimeOf(value: unknown): number | undefined {
  const millis = typeof value === 'string' ? durationMillis(value) : undefined;
  // Kubernetes drops fractions of seconds: less than one would mean forever, which is never intended.
  return millis === undefined || (millis > 0 && millis < 1000) ? undefined : millis / 1000;
}
