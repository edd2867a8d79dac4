import {apiVersionOf, badRequest, type GroupVersionKind, type Interruptible, type NamingProfile} from '../../../sdk/index.js';
import {readJson} from '../../api/codec/json.js';
import {readYaml} from '../../api/codec/yaml.js';
import {openEnvelope, readCarried} from '../../api/protobuf/envelope.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';
import type {RequestInfo} from '../request/request-info.js';
import type {DecodedBody, WriteContext} from '../../registry/request-context.js';

/**
 * Maximum number of values in a body: those of the largest object, and of its managed fields when it is sent back.
 */
export const maximumBodyValues = {namespaced: 60_000, clusterWide: 100_000} as const;

/** How a body is decoded. */
export interface DecodeOptions extends Pick<WriteContext, 'fieldValidation'> {
  /** Of `maximumBodyValues`. */
  readonly maximumValues: number;
}

/** The maximum for the body of a request. */
export function maximumValuesOf({info}: {readonly info: Pick<RequestInfo, 'inNamespace'>}): number {
  return info.inNamespace ? maximumBodyValues.namespaced : maximumBodyValues.clusterWide;
}

const textTypes = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml'] as const;

/** Media types for bodies of a schema: binary only if the schema has field numbers. */
export function bodyMediaTypes(naming: NamingProfile, hasBinaryForm: boolean): readonly string[] {
  return hasBinaryForm ? [...textTypes, naming.protobufMediaType] : textTypes;
}

/** Parses a body by its media type. Duplicate members are searched for only if they are to be reported. */
export function decodeText(bytes: Buffer, mediaType: string, {fieldValidation, maximumValues}: DecodeOptions): Interruptible<DecodedBody> {
  const duplicates = fieldValidation !== 'Ignore';
  const options = {duplicates, maximumValues};
  return mediaType.endsWith('yaml') ? readYaml(bytes, options) : readJson(bytes, options);
}

/** What a body must be. */
export interface ExpectedBody {
  readonly kind: GroupVersionKind;
  readonly schema: {readonly node: SchemaNode};
}

/** Reads a body in any of `bodyMediaTypes`. @throws 400 */
export function* decodeBody(bytes: Buffer, mediaType: string, expected: ExpectedBody, options: DecodeOptions): Interruptible<DecodedBody> {
  if (!mediaType.endsWith('.protobuf')) return yield* decodeText(bytes, mediaType, options);
  const envelope = openEnvelope(bytes);
  const {kind, schema} = expected;
  if (envelope.kind !== '' && envelope.kind !== kind.kind) {
    throw badRequest(
      `the object provided is a ${envelope.kind} of ${envelope.apiVersion}, but this endpoint takes a ${kind.kind} of ${apiVersionOf(kind)}`,
    );
  }
  return {value: yield* readCarried(envelope, schema.node, options.maximumValues), duplicates: []};
}
