import type {SelectableField} from '../custom-resource-definition.js';
import type {SchemaProps} from '../schema-props.js';
import type {DefinitionBehaviour} from './definition-behaviour.js';

/**
 * Errors that an update of a definition may keep because they already existed (Kubernetes' `validationOptions`): a rule added later must
 * not prevent other changes.
 */
export interface Ratcheting {
  /** What the release does differently. */
  readonly behaviour: DefinitionBehaviour;
  /** The certificates of a webhook that cannot be read. */
  readonly unreadableCaBundle: boolean;
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
  /** The previous selectable fields of a version. */
  selectableFieldsOf(version: string): readonly SelectableField[] | undefined;
}
