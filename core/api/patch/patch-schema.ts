/** How a field takes part in a strategic merge patch. `retainKeys` may stand beside one of the other two. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/** What a strategic merge patch needs to know of a type. Implemented over the schemas of the types. */
export interface PatchSchema {
  /** The schema of a member of an object or of a value of a map; undefined where nothing is known, which merges objects and replaces lists. */
  child(member: string): PatchSchema | undefined;
  /** The schema of the items of a list. */
  element(): PatchSchema | undefined;
  /** For a list of objects that is merged: the member that identifies items. */
  readonly mergeKey?: string;
  /** Without any, objects are merged and lists replaced. */
  readonly strategies?: readonly PatchStrategy[];
}
