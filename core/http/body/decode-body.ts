import {
  badRequest,
  StatusError,
  type GroupVersionKind,
  type Interruptible,
  type JsonObject,
  type JsonValue,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {CborCodec} from '../../api/cbor/cbor-codec.js';
import {DecodeError} from '../../api/codec/decode-error.js';
import {readJson} from '../../api/codec/json.js';
import {headMismatch, valueWord} from '../../api/schema/go-words/mismatch.js';
import {headStruct} from '../../api/schema/go-words/object-head.js';
import {jsonProblem} from '../../api/codec/json-problem.js';
import {readYaml} from '../../api/codec/yaml.js';
import {cborMediaType} from '../../api/negotiation/cbor-media-types.js';
import {openEnvelope, readCarried, type Envelope} from '../../api/protobuf/envelope.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';
import {cutText} from '../../registry/value-text.js';
import type {RequestInfo} from '../request/request-info.js';
import type {DecodedBody, WriteContext} from '../../registry/request-context.js';
import {cborRefusalText, decodeCbor} from './cbor-body.js';

/**
 * Maximum number of values in a body: those of the largest object, and of its managed fields when it is sent back.
 */
export const maximumBodyValues = {namespaced: 60_000, clusterWide: 100_000} as const;

/** How a body is decoded. */
export interface DecodeOptions extends Pick<WriteContext, 'fieldValidation'> {
  /** Of `maximumBodyValues`. */
  readonly maximumValues: number;
  /** What reads CBOR, for bodies of that type. */
  readonly cbor?: CborCodec | undefined;
  /** What is wrong with a binary body is said alone, without what it should be. */
  readonly isBare?: boolean;
}

/** The maximum for the body of a request. */
export function maximumValuesOf({info}: {readonly info: Pick<RequestInfo, 'inNamespace'>}): number {
  return info.inNamespace ? maximumBodyValues.namespaced : maximumBodyValues.clusterWide;
}

const textTypes = ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml'] as const;

/** Media types for bodies of a schema: protobuf only if the schema has field numbers. */
export function bodyMediaTypes(naming: NamingProfile, hasBinaryForm: boolean, hasCbor: boolean): readonly string[] {
  const types = hasBinaryForm ? [...textTypes, naming.protobufMediaType] : textTypes;
  return hasCbor ? [...types, cborMediaType] : types;
}

/** Parses a body by its media type. Duplicate members are searched for only if they are to be reported. */
export function decodeText(bytes: Buffer, mediaType: string, {fieldValidation, maximumValues}: DecodeOptions): Interruptible<DecodedBody> {
  const duplicates = fieldValidation !== 'Ignore';
  const options = {duplicates, maximumValues};
  return mediaType.endsWith('yaml') ? readYaml(bytes, {...options, mayBeEmpty: true}) : readJson(bytes, options);
}

/** How many bytes of a body that cannot be read a message shows. */
const longestShown = 30;

/** The begin of a body, as Kubernetes shows it: what looks like JSON as text, other bytes as digits. */
function summaryOf(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const shown = bytes.subarray(0, longestShown);
  return `${bytes[0] === 0x7b ? shown.toString('utf8') : shown.toString('hex')}${bytes.length > longestShown ? ' ...' : ''}`;
}

/** What Go's decoder says of text that is none of its format. */
export function syntaxProblem(bytes: Buffer, error: DecodeError): string {
  if (error.format === 'YAML') return `yaml: ${error.problem}`;
  return jsonProblem(bytes) ?? error.problem;
}

/** As `decodeText`, with another error for what cannot be parsed. @param refuse makes its message of what is wrong */
export function* decodeTextOr(
  bytes: Buffer,
  mediaType: string,
  options: DecodeOptions,
  refuse: (problem: string, error: DecodeError) => string,
): Interruptible<DecodedBody> {
  try {
    return yield* decodeText(bytes, mediaType, options);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(refuse(syntaxProblem(bytes, error), error));
  }
}

/** What a body must be. */
export interface ExpectedBody {
  readonly kind: GroupVersionKind;
  readonly schema: {readonly node: SchemaNode};
}

/** @throws 400 */
function opened(bytes: Buffer, {kind}: ExpectedBody, {isBare}: DecodeOptions): Envelope {
  try {
    return openEnvelope(bytes);
  } catch (error) {
    if (isBare || !StatusError.is(error)) throw error;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${error.message} (${summaryOf(bytes)})`);
  }
}

/** Why the kind of a body cannot be found, in the words of Go's decoder. */
export function headProblem(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return headMismatch(value as JsonObject, 'json');
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${valueWord(value, false)} into Go value of type ${headStruct}`;
}

/** Reads a body in any of `bodyMediaTypes`. @throws 400 */
export function* decodeBody(bytes: Buffer, mediaType: string, expected: ExpectedBody, options: DecodeOptions): Interruptible<DecodedBody> {
  const {kind, schema} = expected;
  if (mediaType === cborMediaType) {
    const reading = {cbor: options.cbor!, maximumValues: options.maximumValues, isTyped: schema.node.kubernetesSemantics};
    return yield* decodeCbor(bytes, reading, (refusal) => cborRefusalText(refusal, kind.kind, kind.version, summaryOf(bytes)));
  }
  if (!mediaType.endsWith('.protobuf')) {
    const unrecognized = (problem: string) =>
      `the object provided is unrecognized (must be of type ${kind.kind}): ${problem} (${summaryOf(bytes)})`;
    const body = yield* decodeTextOr(bytes, mediaType, options, (problem, {format}) =>
      unrecognized(`${format === 'JSON' ? "couldn't get version/kind; json parse error: " : ''}${problem}`),
    );
    const problem = schema.node.kubernetesSemantics ? headProblem(body.value as JsonValue | undefined) : undefined;
    if (problem !== undefined) throw badRequest(unrecognized(problem));
    return body;
  }
  const envelope = opened(bytes, expected, options);
  if (envelope.kind !== '' && envelope.kind !== kind.kind) {
    const [given, version] = [cutText(envelope.kind), cutText(envelope.apiVersion)];
    const problem = `no kind ${JSON.stringify(given)} is registered for version ${JSON.stringify(version)}`;
    if (options.isBare) throw badRequest(problem);
    throw badRequest(`${given} in version ${JSON.stringify(version.split('/').at(-1))} cannot be handled as a ${kind.kind}: ${problem}`);
  }
  try {
    return {value: yield* readCarried(envelope, schema.node, options.maximumValues), duplicates: []};
  } catch (error) {
    if (options.isBare || !StatusError.is(error) || error.code !== 400) throw error;
    throw badRequest(`${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${error.message}`);
  }
}
