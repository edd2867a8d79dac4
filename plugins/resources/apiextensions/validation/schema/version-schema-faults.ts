import {forbiddenField, invalid, type FieldError, type FieldPath, type Schemas} from '../../../../../sdk/index.js';
import type {SchemaProps} from '../../schema-props.js';
import {defaultFaults} from './default-faults.js';
import {openApiFaults} from './open-api-faults.js';
import {structuralFaults} from './structural-faults.js';

/** What may stand at the root beside a status subresource: the status is checked on its own, and nothing must get lost by that. */
const rootKeywords: readonly string[] = [
  'description', 'type', 'format', 'title', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems',
  'minItems', 'uniqueItems', 'multipleOf', 'required', 'items', 'properties', 'externalDocs', 'example', 'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/** All faults of the schema of a version. Later checks presume earlier ones: defaults are looked at in structural schemas, rules in faultless ones. */
export function versionSchemaFaults(schema: SchemaProps, hasStatus: boolean, path: FieldPath, schemas: Schemas): FieldError[] {
  const faults = hasStatus ? rootFaults(schema, path) : [];
  if (schema.nullable) faults.push(forbiddenField(path.child('nullable'), 'nullable cannot be true at the root'));
  faults.push(...openApiFaults(schema, path));
  const structural = structuralFaults(schema, path, (pattern) => schemas.patternFault(pattern));
  faults.push(...structural);
  if (structural.length === 0) faults.push(...defaultFaults(schema, path, schemas));
  if (faults.length === 0) faults.push(...schemas.ruleFaults(schema as Readonly<Record<string, unknown>>, path));
  return faults;
}

function rootFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  const {type} = schema;
  if (type && type !== 'object') {
    return [invalid(path.child('type'), type, 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled')];
  }
  // Nullable at the root is a fault of its own.
  const other = Object.keys(schema).find((keyword) => keyword !== 'nullable' && !rootKeywords.includes(keyword));
  if (other === undefined) return [];
  return [invalid(path, other, `only [${rootKeywords.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`)];
}
