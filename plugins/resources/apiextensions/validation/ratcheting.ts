import type {SchemaProps} from '../schema-props.js';

/**
 * Errors that an update of a definition may keep because they already existed (Kubernetes' `validationOptions`): a rule added later must
 * not prevent other changes.
 */
export interface Ratcheting {
  /** Versions without a schema. */
  readonly missingSchemas: boolean;
  /** Unknown types. */
  readonly unknownTypes: boolean;
  /** Schemas that are not structural, as long as nothing in the definition requires it. */
  readonly looseStructure: boolean;
  /** Fields in defaults that their schema does not define. */
  readonly unprunedDefaults: boolean;
  /** Sets of objects and lists that can be merged internally. */
  readonly mergeableSetItems: boolean;
  /** Items of sets and maps, and their keys, that may be null or absent. */
  readonly optionalKeys: boolean;
  /** The previous schema of a version. */
  schemaOf(version: string): SchemaProps | undefined;
}
