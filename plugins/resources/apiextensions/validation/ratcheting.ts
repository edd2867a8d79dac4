import type {SchemaProps} from '../schema-props.js';

/**
 * What a change of a definition may leave wrong because it was so before (Kubernetes' `validationOptions`): a rule that came later
 * must not keep anybody from changing the rest.
 */
export interface Ratcheting {
  /** Versions without a schema. */
  readonly missingSchemas: boolean;
  /** Types that there are not. */
  readonly unknownTypes: boolean;
  /** Schemas that are not structural, as long as nothing in the definition depends on it. */
  readonly looseStructure: boolean;
  /** Fields in defaults that their schema does not know. */
  readonly unprunedDefaults: boolean;
  /** Sets of objects and lists that can be merged inside. */
  readonly mergeableSetItems: boolean;
  /** Items of sets and maps, and keys of these, that may be null or absent. */
  readonly optionalKeys: boolean;
  /** The schema of a version before. */
  schemaOf(version: string): SchemaProps | undefined;
}
