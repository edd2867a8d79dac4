import {invalid, required, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import type {ScaleSubresource, Subresources} from '../custom-resource-definition.js';
import {propertyOf, type SchemaProps} from '../schema-props.js';

/** Errors in the subresources of a version. */
export function subresourceFaults(subresources: Subresources | undefined, schema: SchemaProps | undefined, path: FieldPath): FieldError[] {
  return subresources?.scale ? scaleFaults(subresources.scale, schema, path.child('scale')) : [];
}

function scaleFaults(
  {specReplicasPath, statusReplicasPath, labelSelectorPath}: ScaleSubresource,
  schema: SchemaProps | undefined,
  path: FieldPath,
): FieldError[] {
  const faults = [
    ...replicasPathFaults(specReplicasPath, '.spec', path.child('specReplicasPath')),
    ...replicasPathFaults(statusReplicasPath, '.status', path.child('statusReplicasPath')),
  ];
  if (!labelSelectorPath) return faults;
  const at = path.child('labelSelectorPath');
  const form = formFault(labelSelectorPath, at);
  if (form) faults.push(form);
  else if (!labelSelectorPath.startsWith('.spec.') && !labelSelectorPath.startsWith('.status.')) {
    faults.push(invalid(at, labelSelectorPath, 'should be a json path under either .spec or .status'));
  } else {
    const type = typeAt(schema, labelSelectorPath);
    if (type !== undefined && type !== 'string')
      faults.push(invalid(at, labelSelectorPath, `must point to a field of type string, not ${type}`));
  }
  return faults;
}

function replicasPathFaults(value: string, parent: string, path: FieldPath): FieldError[] {
  if (value === '') return [required(path)];
  const form = formFault(value, path);
  if (form) return [form];
  return value.startsWith(`${parent}.`) ? [] : [invalid(path, value, `should be a json path under ${parent}`)];
}

function formFault(value: string, path: FieldPath): FieldError | undefined {
  if (!value.startsWith('.')) return invalid(path, value, 'must be a simple json path starting with .');
  if (/[[\]]/.test(value)) return invalid(path, value, 'must be a json path in the dot notation, without array notation');
  return undefined;
}

/** The type of a field in the schema, if specified. */
function typeAt(schema: SchemaProps | undefined, jsonPath: string): string | undefined {
  let place = schema;
  for (const name of jsonPath.slice(1).split('.')) place = place && propertyOf(place, name);
  return place?.type;
}
