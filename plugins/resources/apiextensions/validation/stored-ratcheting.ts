import {atOnce, FieldPath, type Schemas} from '../../../../sdk/index.js';
import {isConditionTrue, versionsOf, type CustomResourceDefinition, type SelectableField} from '../custom-resource-definition.js';
import {someSchema, type SchemaProps} from '../schema-props.js';
import {caBundleFault} from './conversion-faults.js';
import {commonBehaviour, type DefinitionBehaviour} from './definition-behaviour.js';
import {hasUnprunedDefault} from './schema/default-faults.js';
import {keyedItemFaults, setItemFaults} from './schema/list-type-faults.js';
import {hasUnknownType} from './schema/open-api-faults.js';
import {structuralFaults} from './schema/structural-faults.js';
import type {Ratcheting} from './ratcheting.js';

/**
 * The errors that the previous definition was allowed to have. Each kind is determined when an error of that kind occurs. A new definition
 * is allowed none.
 */
export class StoredRatcheting implements Ratcheting {
  readonly #schemas: Schemas;
  readonly #old: CustomResourceDefinition | undefined;

  /** @param old the previous definition */
  constructor(
    schemas: Schemas,
    old?: CustomResourceDefinition,
    readonly behaviour: DefinitionBehaviour = commonBehaviour,
  ) {
    this.#schemas = schemas;
    this.#old = old;
  }

  get missingSchemas(): boolean {
    return this.#old !== undefined && versionsOf(this.#old).some(({schema}) => !schema?.openAPIV3Schema);
  }

  /** Also those of a definition that is not established yet. */
  get unreadableCaBundle(): boolean {
    if (!this.#old || !isConditionTrue(this.#old, 'Established')) return true;
    const caBundle = this.#old.spec.conversion?.webhook?.clientConfig?.caBundle;
    return Boolean(caBundle) && caBundleFault(caBundle!) !== undefined;
  }

  get unknownTypes(): boolean {
    return this.#someSchema((schema) => someSchema(schema, hasUnknownType));
  }

  get looseStructure(): boolean {
    return this.#someSchema(
      (schema) => atOnce(structuralFaults(schema, FieldPath.root, (pattern) => this.#schemas.patternFault(pattern))).length > 0,
    );
  }

  get unprunedDefaults(): boolean {
    return this.#someSchema((schema) => hasUnprunedDefault(schema, this.#schemas));
  }

  get mergeableSetItems(): boolean {
    return this.#someSchema((schema) => someSchema(schema, (part) => setItemFaults(part, FieldPath.root).length > 0));
  }

  get optionalKeys(): boolean {
    return this.#someSchema((schema) => someSchema(schema, (part) => keyedItemFaults(part, FieldPath.root).length > 0));
  }

  schemaOf(version: string): SchemaProps | undefined {
    return this.#old && versionsOf(this.#old).find(({name}) => name === version)?.schema?.openAPIV3Schema;
  }

  selectableFieldsOf(version: string): readonly SelectableField[] | undefined {
    return this.#old && versionsOf(this.#old).find(({name}) => name === version)?.selectableFields;
  }

  #someSchema(predicate: (schema: SchemaProps) => boolean): boolean {
    return (
      this.#old !== undefined &&
      versionsOf(this.#old).some(({schema}) => schema?.openAPIV3Schema !== undefined && predicate(schema.openAPIV3Schema))
    );
  }
}
