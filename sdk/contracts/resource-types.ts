import type {ResourceDefinition} from './resource-definition.js';
import type {ResourceStrategy} from './strategy.js';

/** Adds resource types to the running server, as a CustomResourceDefinition does. Groups are spelled as clients see them. */
export interface ResourceTypes {
  /**
   * Serves a type from now on, or replaces the one of the same group and plural. Its schema is compiled when it is first used.
   * Requests that are under way finish with what they began with; watches end, and clients begin them again.
   */
  set(definition: ResourceDefinition, strategy?: ResourceStrategy): void;
  /** Ends serving a type. Its objects stay in the store; watches of it end. */
  delete(group: string, plural: string): void;
  /** Whether a type of that group and plural is served that was not added by `set`. */
  isBuiltIn(group: string, plural: string): boolean;
}
