import type {ResourceDefinition} from '../../../sdk/contracts/resource-definition.js';
import type {FoundPlugin} from './read-manifest.js';

/** A resource type as its plugin contributes it. */
export interface ContributedResource {
  readonly plugin: string;
  /** What the schema references of the definition are relative to. */
  readonly folder: string;
  readonly definition: ResourceDefinition;
}

/** The resource types of plugins, in their order. */
export function contributedResources(plugins: readonly FoundPlugin[]): ContributedResource[] {
  return plugins.flatMap(({name, folder, manifest}) =>
    (manifest.contributes?.resources ?? []).map((definition) => ({plugin: name, folder, definition})),
  );
}
