import type {FieldError, FieldPath, Schemas} from '../../../../../sdk/index.js';
import {itemsOf, valuesOf, type SchemaProps} from '../../schema-props.js';

/** Defaults that their own schema would refuse or prune. The schema is structural already. */
export function defaultFaults(schema: SchemaProps, path: FieldPath, schemas: Schemas): FieldError[] {
  const faults: FieldError[] = [];
  const visit = (part: SchemaProps, at: FieldPath): void => {
    if (part.default !== undefined) faults.push(...schemas.valueFaults(part as Readonly<Record<string, unknown>>, part.default, at.child('default')));
    const items = itemsOf(part);
    if (items) visit(items, at.child('items'));
    for (const [name, property] of Object.entries(part.properties ?? {})) visit(property, at.child('properties').key(name));
    const values = valuesOf(part);
    if (values) visit(values, at.child('additionalProperties'));
  };
  visit(schema, path);
  return faults;
}
