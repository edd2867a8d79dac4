import type {JsonSchema} from './json-schema.js';

/** A schema file: the types of one group version. Groups are in the neutral `orch` form. */
export interface SchemaDocument {
  readonly group: string;
  readonly version: string;
  /**
   * `typed`: fields follow Kubernetes' typed objects. An empty value counts as absent unless `x-orch-presence` says otherwise, strings are
   * normalized, and `required`, `enum`, `pattern` and the like are published, but enforcing them is left to the type's strategy.
   * `structural` (the default): everything is enforced, as in a CustomResourceDefinition.
   */
  readonly semantics?: 'typed' | 'structural';
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** The id of a group version's document: `core/v1`, `apps/v1`, `coordination.orch/v1`. */
export function documentId(group: string, version: string): string {
  return `${group === '' ? 'core' : group}/${version}`;
}

/** The document with the schemas of the common metadata. */
export const metaDocument = 'meta.orch/v1';
