import {apiVersionOf, badRequest, type GroupVersionKind, type NamingProfile} from '../../../sdk/index.js';
import {decodeJson} from '../../api/codec/json.js';
import {decodeYaml} from '../../api/codec/yaml.js';
import {decodeCarried, openEnvelope} from '../../api/protobuf/envelope.js';
import {maximumObjectValues} from '../../registry/write/object-size.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';
import type {DecodedBody, WriteContext} from '../../registry/request-context.js';

/**
 * Maximum number of values in a body: twice those of an object, which has managed fields too when it is sent back. Each step of a write takes time with
 * them, in one turn of the event loop.
 */
export const maximumValues = 2 * maximumObjectValues;

const textTypes = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml'] as const;

/** Media types for bodies of a schema: binary only if the schema has field numbers. */
export function bodyMediaTypes(naming: NamingProfile, hasBinaryForm: boolean): readonly string[] {
  return hasBinaryForm ? [...textTypes, naming.protobufMediaType] : textTypes;
}

/** Parses a body by its media type. Duplicate members are searched for only if they are to be reported. */
export function decodeText(bytes: Buffer, mediaType: string, {fieldValidation}: Pick<WriteContext, 'fieldValidation'>): DecodedBody {
  const duplicates = fieldValidation !== 'Ignore';
  const options = {duplicates, maximumValues};
  return mediaType.endsWith('yaml') ? decodeYaml(bytes, options) : decodeJson(bytes, options);
}

/** What a body must be. */
export interface ExpectedBody {
  readonly kind: GroupVersionKind;
  readonly schema: {readonly node: SchemaNode};
}

/** Reads a body in any of `bodyMediaTypes`. @throws 400 */
export function decodeBody(
  bytes: Buffer,
  mediaType: string,
  expected: ExpectedBody,
  context: Pick<WriteContext, 'fieldValidation'>,
): DecodedBody {
  if (!mediaType.endsWith('.protobuf')) return decodeText(bytes, mediaType, context);
  const envelope = openEnvelope(bytes);
  const {kind, schema} = expected;
  if (envelope.kind !== '' && envelope.kind !== kind.kind) {
    throw badRequest(
      `the object provided is a ${envelope.kind} of ${envelope.apiVersion}, but this endpoint takes a ${kind.kind} of ${apiVersionOf(kind)}`,
    );
  }
  return {value: decodeCarried(envelope, schema.node, maximumValues), duplicates: []};
}
