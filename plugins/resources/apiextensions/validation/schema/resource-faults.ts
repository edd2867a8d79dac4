import {
  dns1035LabelFaults,
  invalid,
  required,
  type FieldError,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../../../../sdk/index.js';
import {validateAnnotations, validateLabels} from '../../../../shared/labels/label-faults.js';
import {itemsOf, propertyOf, valuesOf, type SchemaProps} from '../../schema-props.js';

/** The faults of the API objects that a value is or has inside, by its schema. */
export function resourceFaultsIn(schema: SchemaProps, value: JsonValue, path: FieldPath): FieldError[] {
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return items ? value.flatMap((item, position) => resourceFaultsIn(items, item, path.index(position))) : [];
  }
  if (!isObject(value)) return [];
  const faults = schema['x-kubernetes-embedded-resource'] ? resourceFaults(value, path) : [];
  for (const [name, member] of Object.entries(value)) {
    const property = propertyOf(schema, name);
    const part = property ?? valuesOf(schema);
    if (part && member !== undefined) faults.push(...resourceFaultsIn(part, member, property ? path.child(name) : path.key(name)));
  }
  return faults;
}

/**
 * What is wrong with type and metadata of an API object (Kubernetes' `objectmeta.Validate`). Members of a wrong type are left to the
 * schema.
 */
export function resourceFaults({apiVersion, kind, metadata}: JsonObject, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const check = (name: string, value: JsonValue | undefined, details: (text: string) => readonly string[]) => {
    const at = path.child(name);
    if (value === undefined) faults.push(required(at, 'must not be empty'));
    else if (value === '') faults.push(invalid(at, value, 'must not be empty'));
    else if (typeof value === 'string') faults.push(...details(value).map((detail) => invalid(at, value, detail)));
  };
  check('apiVersion', apiVersion, (text) => (text.split('/').length > 2 ? [`unexpected GroupVersion string: ${text}`] : []));
  check('kind', kind, (text) => {
    const wrong = dns1035LabelFaults(text.toLowerCase());
    return wrong.length > 0 ? [`may have mixed case, but should otherwise match: ${wrong.join(',')}`] : [];
  });
  if (isObject(metadata)) faults.push(...metadataFaults(metadata, path.child('metadata')));
  return faults;
}

function metadataFaults({name, labels, annotations}: JsonObject, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (typeof name === 'string') for (const detail of segmentFaults(name)) faults.push(invalid(path.child('name'), name, detail));
  if (isTexts(labels)) faults.push(...validateLabels(labels, path.child('labels')));
  if (isTexts(annotations)) faults.push(...validateAnnotations(annotations, path.child('annotations')));
  return faults;
}

/** Why a name cannot stand in a path. */
function segmentFaults(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: JsonValue | undefined): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((entry) => typeof entry === 'string');
}
