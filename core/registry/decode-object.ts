import {
  apiVersionOf,
  badRequest,
  fieldErrorCause,
  fieldErrorText,
  invalidObject,
  type ApiObject,
  type FieldError,
  type GroupVersionKind,
  type JsonObject,
  type StatusError,
} from '../../sdk/index.js';
import type {DecodeReport, ObjectSchema} from '../api/schema/object-schema.js';
import {valueText} from './value-text.js';
import type {DecodedBody, WriteContext} from './write-context.js';

/** What a body must be to be taken as an object of a type. */
export interface DecodeTarget {
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
  /** Further versions of the kind in which the body may be. */
  readonly acceptedVersions?: readonly string[];
  /** Whether the body need not have all that the schema requires, as the configuration of an apply. */
  readonly isPartial?: boolean;
}

/**
 * Turns a parsed body into an object of a type: its kind and version are checked (or filled in), values have the types
 * of the schema, unknown fields are dropped and reported as the request's field validation says.
 * The body is changed in place and becomes the object.
 *
 * @throws 400 for another kind or version, for values of a wrong type in typed parts (all of them), and under Strict for every unknown and
 *   duplicate field; 422 for values of a wrong type elsewhere, with all other faults against the schema
 */
export function decodeObject(body: DecodedBody, target: DecodeTarget, context: WriteContext): ApiObject {
  const {value} = body;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`the body must be a JSON object of kind ${target.kind.kind}, not ${valueText(value)}`);
  }
  const object = value as JsonObject;
  checkKind(object, target);
  const report: DecodeReport = {unknown: []};
  const faults = target.schema.decode(object, report);
  if (object['metadata'] === undefined || object['metadata'] === null) object['metadata'] = {};
  if (faults.length > 0) throw wrongTypes(target.kind, faults);
  reportFields(target.kind, report.unknown, body.duplicates, context);
  if (report.isMistyped) throw mistyped(object, target);
  const decoded = object as unknown as ApiObject;
  // Clients send 0 where they have no version.
  if (decoded.metadata.resourceVersion === '0') delete decoded.metadata.resourceVersion;
  return decoded;
}

function checkKind(object: JsonObject, {kind, acceptedVersions = []}: DecodeTarget): void {
  const expected = apiVersionOf(kind);
  const {apiVersion, kind: given} = object;
  if (given === undefined || given === null || given === '') object['kind'] = kind.kind;
  else if (given !== kind.kind) throw mismatch(`kind ${valueText(given)}`, kind, expected);
  if (apiVersion === undefined || apiVersion === null || apiVersion === '') object['apiVersion'] = expected;
  else if (apiVersion !== expected && !acceptedVersions.some((version) => apiVersion === apiVersionOf({...kind, version})))
    throw mismatch(`apiVersion ${valueText(apiVersion)}`, kind, expected);
}

function mismatch(given: string, kind: GroupVersionKind, apiVersion: string): StatusError {
  return badRequest(
    `the object provided has ${given}, but this endpoint takes kind ${JSON.stringify(kind.kind)} of apiVersion ${JSON.stringify(apiVersion)}`,
  );
}

function wrongTypes(kind: GroupVersionKind, faults: readonly FieldError[]): StatusError {
  return badRequest(
    `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${faults.map(fieldErrorText).join(', ')}`,
    {details: {kind: kind.kind, ...(kind.group ? {group: kind.group} : {}), causes: faults.map(fieldErrorCause)}},
  );
}

/** All faults of an object in whose structural parts there are values of a wrong type: nobody else is to see it. */
function mistyped(object: JsonObject, {kind, schema, isPartial}: DecodeTarget): StatusError {
  if (!isPartial) schema.applyDefaults(object);
  const faults = schema.validate(object);
  const {name} = object['metadata'] as {name?: string};
  return invalidObject(kind, name ?? '', isPartial ? faults.filter(({reason}) => reason === 'FieldValueTypeInvalid') : faults);
}

function reportFields(
  {kind, version}: GroupVersionKind,
  unknown: readonly string[],
  duplicates: readonly string[],
  context: WriteContext,
): void {
  if (context.fieldValidation === 'Ignore' || (unknown.length === 0 && duplicates.length === 0)) return;
  const messages = [
    ...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
  if (context.fieldValidation === 'Strict') {
    throw badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: strict decoding error: ${messages.join(', ')}`,
    );
  }
  for (const message of messages) context.warn(message);
}
