import type {ResourceRef} from './resource-client.js';

/** The schemas of the types that are served, for expressions about their objects. Injected by `Tokens.ServedSchemas`; usable from `start` on. */
export interface ServedSchemas {
  /**
   * What the objects of a type look like, metadata included: a schema for `Expressions.scope`, and nothing else.
   *
   * @param type its group as it is served
   * @returns undefined if there is no such type
   */
  of(type: ResourceRef): Readonly<Record<string, unknown>> | undefined;
}
