import type {ResourceDefinition} from './resource-definition.js';
import type {ResourceStrategy} from './strategy.js';
import type {VirtualResource} from './virtual-resource.js';

/** Adds resource types to the running server, as a CustomResourceDefinition does. Groups are spelled as clients see them. */
export interface ResourceTypes {
  /**
   * Serves a type from now on, or replaces the one of the same group and plural. Its schema is compiled on first use.
   * Requests in flight finish with the old definition; watches end, and clients start them again.
   *
   * @param isShown whether discovery and OpenAPI have it, true by default; if not, it waits for `show`
   * @param handlers what serves the type if nothing of it is stored, and subresources, by the names that the definition has for them (`handler`). They are not started
   */
  set(
    definition: ResourceDefinition,
    strategy?: ResourceStrategy,
    isShown?: boolean,
    handlers?: Readonly<Record<string, VirtualResource>>,
  ): void;
  /** Shows a type in discovery and OpenAPI that was set without. */
  show(group: string, plural: string): void;
  /** Stops serving a type. Its objects stay in the store; its watches end. */
  delete(group: string, plural: string): void;
  /** Whether a type of that group and plural that was not added by `set` is served. */
  isBuiltIn(group: string, plural: string): boolean;
}
