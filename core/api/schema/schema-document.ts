import type {JsonSchema} from './json-schema.js';

/** A schema file: the types of one group version. Groups stand in the neutral `orch` form. */
export interface SchemaDocument {
  readonly group: string;
  readonly version: string;
  /**
   * `typed`: fields follow Kubernetes' typed objects: an empty value counts as absent unless `x-orch-presence` says otherwise, texts
   * are brought into their normal form, and what `required`, `enum`, `pattern` and the like say is published but left to the
   * type's strategy to enforce. `structural` (the default): as in a CustomResourceDefinition, everything is enforced.
   */
  readonly semantics?: 'typed' | 'structural';
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** The id of a group version's document: `core/v1`, `apps/v1`, `coordination.orch/v1`. */
export function documentId(group: string, version: string): string {
  return `${group === '' ? 'core' : group}/${version}`;
}

/** Where the schemas of the common metadata are. */
export const metaDocument = 'meta.orch/v1';
