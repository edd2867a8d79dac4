import {
  fieldErrorText,
  FieldPath,
  invalid,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type Schemas,
} from '../../../../../sdk/index.js';
import {itemsOf, someSchema, type SchemaProps} from '../../schema-props.js';

/** Wraps a value in its API object. */
type Surround = (value: JsonValue) => JsonValue;

/** The current place of the check in a schema. */
interface Place {
  readonly path: FieldPath;
  readonly surround: Surround;
  /** Inside type or metadata of an API object. */
  readonly insideMeta: boolean;
}

const metaMembers: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);
/** Any API object: only its type and metadata are checked. */
const anyResource = {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true} as const;

/**
 * Defaults that their own schema would reject or prune (Kubernetes' `ValidateDefaults`). The schema must be structural. Validation rules
 * are evaluated elsewhere (`Schemas.ruleFaults`).
 *
 * @param mayHaveUnknown whether fields are allowed that the schema does not define
 */
export function defaultFaults(schema: SchemaProps, path: FieldPath, schemas: Schemas, mayHaveUnknown = false): FieldError[] {
  const faults: FieldError[] = [];
  const visit = (part: SchemaProps, place: Place, isRoot: boolean): void => {
    const isResource = isRoot || part['x-kubernetes-embedded-resource'] === true;
    const {path: at, insideMeta, surround} = isResource ? {path: place.path, insideMeta: false, surround: asResource} : place;
    const value = part.default as JsonValue | undefined;
    if (value !== undefined && value !== null) {
      const wrongMeta = insideMeta ? metaFaults(surround(value), value, at.child('default'), schemas) : [];
      const judged = isRoot ? {...part, 'x-kubernetes-embedded-resource': true} : part;
      const found =
        wrongMeta.length > 0
          ? wrongMeta
          : schemas.valueFaults(judged as Readonly<Record<string, unknown>>, value, at.child('default'), mayHaveUnknown || insideMeta);
      for (const fault of found) faults.push(withinDefault(fault, at.child('default')));
    }
    const items = itemsOf(part);
    if (items) visit(items, {path: at.child('items'), insideMeta, surround: (inner) => surround([inner])}, false);
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const inside = {path: at.child('properties').key(name), insideMeta: insideMeta || (isResource && metaMembers.has(name))};
      visit(property, {...inside, surround: (inner) => surround({[name]: inner})}, false);
    }
    // Kubernetes does not look at defaults of values in maps.
  };
  visit(schema, {path, surround: asResource, insideMeta: false}, true);
  return faults;
}

/** What is said of a value in a default names its place within that. */
function withinDefault(fault: FieldError, path: FieldPath): FieldError {
  const place = path.toString();
  const body = fault.body.replace(`: ${place} in body `, ':  in body ').replace(`: ${place}.`, ': ');
  return body === fault.body ? fault : {...fault, body};
}

/** Whether there is a default with fields that its schema does not define. */
export function hasUnprunedDefault(schema: SchemaProps, schemas: Schemas): boolean {
  if (!someSchema(schema, (part) => part.default !== undefined)) return false;
  return defaultFaults(schema, FieldPath.root, schemas).length > defaultFaults(schema, FieldPath.root, schemas, true).length;
}

function asResource(value: JsonValue): JsonValue {
  return {apiVersion: 'validation/v1', kind: 'Validation', ...(value as JsonObject)};
}

function metaFaults(object: JsonValue, value: JsonValue, path: FieldPath, schemas: Schemas): FieldError[] {
  const faults = schemas.valueFaults(anyResource, object, FieldPath.root, true);
  if (faults.length === 0) return [];
  const texts = faults.map((fault) => fieldErrorText(fault));
  return [invalid(path, value, `must result in valid metadata: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`)];
}
