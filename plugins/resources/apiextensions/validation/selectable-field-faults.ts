import {duplicate, invalid, required, tooMany, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {propertyOf, type SchemaProps} from '../schema-props.js';

const maximumFields = 8;

/**
 * Errors in the selectable fields (Kubernetes' KEP-4358): each must be a path in dot notation outside the metadata, to a string, boolean or
 * integer in the schema.
 */
export function selectableFieldFaults(
  fields: readonly {readonly jsonPath: string}[],
  schema: SchemaProps | undefined,
  path: FieldPath,
): FieldError[] {
  const faults: FieldError[] = [];
  if (fields.length > maximumFields) faults.push(tooMany(path, fields.length, maximumFields));
  const seen = new Set<string>();
  for (const [position, {jsonPath}] of fields.entries()) {
    const at = path.index(position).child('jsonPath');
    const fault = jsonPath === '' ? required(at) : pathFault(jsonPath, schema, at);
    if (fault) faults.push(fault);
    if (seen.has(jsonPath)) faults.push(duplicate(at, jsonPath));
    seen.add(jsonPath);
  }
  return faults;
}

function pathFault(jsonPath: string, schema: SchemaProps | undefined, path: FieldPath): FieldError | undefined {
  if (!/^(\.[A-Za-z_][-A-Za-z0-9_]*)+$/.test(jsonPath))
    return invalid(path, jsonPath, 'is an invalid path: must be a simple json path in the dot notation');
  if (jsonPath === '.metadata' || jsonPath.startsWith('.metadata.')) return invalid(path, jsonPath, 'must not point to fields in metadata');
  let place = schema;
  for (const name of jsonPath.slice(1).split('.')) place = place && propertyOf(place, name);
  const type = place?.type;
  if (schema && type === undefined) return invalid(path, jsonPath, 'is an invalid path: does not refer to a valid field');
  if (type !== undefined && !['string', 'boolean', 'integer'].includes(type))
    return invalid(path, jsonPath, 'must point to a field of type string, boolean or integer');
  return undefined;
}
