/** How a field takes part in a strategic merge patch. `retainKeys` may be combined with one of the other two. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/** What a strategic merge patch needs to know about a type. Implemented on top of the types' schemas. */
export interface PatchSchema {
  /**
   * The schema of a member of an object or of a value of a map. Undefined if nothing is known; objects are then merged and lists replaced.
   */
  child(member: string): PatchSchema | undefined;
  /** The schema of the items of a list. */
  element(): PatchSchema | undefined;
  /** The member that identifies the items of a merged list of objects. */
  readonly mergeKey?: string;
  /** If missing, objects are merged and lists replaced. */
  readonly strategies?: readonly PatchStrategy[];
}
