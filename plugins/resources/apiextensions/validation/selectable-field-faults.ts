import {isDeepStrictEqual} from 'node:util';
import {duplicate, invalid, required, tooMany, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import type {SchemaProps} from '../schema-props.js';
import {fieldAt} from './schema/field-at.js';
import type {Ratcheting} from './ratcheting.js';

const maximumFields = 8;
const selectableTypes: readonly unknown[] = ['string', 'boolean', 'integer'];

type SelectableFields = readonly {readonly jsonPath: string}[];

/**
 * Errors in the selectable fields of a version (Kubernetes' `ValidateCustomResourceSelectableFields`): each must be a path in dot notation outside the metadata, to a
 * string, boolean or integer in the schema.
 */
export function selectableFieldFaults(
  version: {readonly name: string; readonly selectableFields?: SelectableFields},
  schema: SchemaProps | undefined,
  path: FieldPath,
  ratcheting: Ratcheting,
): FieldError[] {
  const {name, selectableFields: fields = []} = version;
  if (fields.length === 0) return [];
  const {shortDetails, keepsSelectableFields} = ratcheting.behaviour;
  if (!schema)
    return [
      invalid(
        path,
        '',
        shortDetails
          ? 'may only be set when `version.schema.openAPIV3Schema` is not included'
          : 'selectableFields may only be set when version.schema.openAPIV3Schema is not included',
      ),
    ];
  const faults: FieldError[] = [];
  const seen = new Set<string>();
  for (const [position, {jsonPath}] of fields.entries())
    faults.push(...fieldFaults(jsonPath, schema, path.index(position).child('jsonPath'), seen));
  const mayStay = keepsSelectableFields && isDeepStrictEqual(ratcheting.selectableFieldsOf(name), fields);
  if (seen.size > maximumFields && !mayStay) faults.push(tooMany(path, seen.size, maximumFields));
  return faults;
}

/** @param seen the paths before, to which this one is added */
function fieldFaults(jsonPath: string, schema: SchemaProps, path: FieldPath, seen: Set<string>): FieldError[] {
  if (jsonPath === '') return [required(path)];
  const found = fieldAt(jsonPath, schema, false);
  if (typeof found === 'string') return [invalid(path, jsonPath, `is an invalid path: ${found}`)];
  const faults: FieldError[] = [];
  if (found.steps[0] === 'metadata') faults.push(invalid(path, jsonPath, 'must not point to fields in metadata'));
  if (!selectableTypes.includes(found.schema?.type)) {
    const detail = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    faults.push(invalid(path, jsonPath, detail));
  }
  const text = JSON.stringify(found.steps);
  if (seen.has(text)) faults.push(duplicate(path, jsonPath));
  seen.add(text);
  return faults;
}
