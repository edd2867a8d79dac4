import {badRequest, type Interruptible} from '../../../sdk/index.js';
import type {CborCodec} from '../../api/cbor/cbor-codec.js';
import {maximumDepth} from '../../api/codec/json.js';
import {isJsonObject} from '../../api/json/is-json-object.js';
import {cutText} from '../../registry/value-text.js';
import type {DecodedBody} from '../../registry/request-context.js';

/** How a body of CBOR is read. */
export interface CborBodyOptions {
  readonly cbor: CborCodec;
  readonly maximumValues: number;
  /** Whether its values have types, so that what has a tag for times stays as it is. */
  readonly isTyped: boolean;
  /** Whether it is only read as an object, and not asked for its kind: what is applied. */
  readonly isBare?: boolean;
}

/** What is wrong with a body, in the words of Kubernetes' decoder. */
export interface CborRefusal {
  readonly problem: string;
  /** The kind and version that the body names; undefined if they cannot be known. */
  readonly named?: {readonly kind: unknown; readonly apiVersion: unknown};
}

/**
 * Reads a body that is an object.
 *
 * @param refuse makes the message for what is wrong
 * @throws 400, 413
 */
export function* decodeCbor(
  bytes: Buffer,
  {cbor, maximumValues, isTyped, isBare = false}: CborBodyOptions,
  refuse: (refusal: CborRefusal) => string,
): Interruptible<DecodedBody> {
  const {value, fault, isOutermost} = yield* cbor.read(bytes, {depth: maximumDepth, values: maximumValues}, !isTyped);
  const problem = isOutermost ? fault : headFault(cbor, bytes, value, isBare);
  if (problem !== undefined) throw badRequest(refuse({problem}));
  if (fault !== undefined) {
    const {kind, apiVersion} = isJsonObject(value) ? value : {};
    throw badRequest(refuse({problem: fault, named: {kind, apiVersion}}));
  }
  // What has no type is refused by its schema, and its metadata in the words of JSON, as in Kubernetes.
  return isTyped ? {value, duplicates: [], cbor: {typeAt: (steps) => cbor.typeAt(bytes, steps)}} : {value, duplicates: []};
}

/** Why kind and version of an object cannot be read. */
function headFault(cbor: CborCodec, bytes: Buffer, value: unknown, isBare: boolean): string | undefined {
  if (value === null) return undefined;
  if (!isJsonObject(value)) {
    const detail = Array.isArray(value) && !isBare ? ' (cannot decode CBOR array to struct without toarray option)' : '';
    const type = isBare ? 'map[string]interface {}' : 'v1.TypeMeta';
    return `cbor: cannot unmarshal ${cbor.typeAt(bytes, [])} into Go value of type ${type}${detail}`;
  }
  if (isBare) return undefined;
  const wrong = ['kind', 'apiVersion'].find((name) => value[name] !== undefined && value[name] !== null && typeof value[name] !== 'string');
  if (wrong === undefined) return undefined;
  return `cbor: cannot unmarshal ${cbor.typeAt(bytes, [wrong])} into Go struct field v1.TypeMeta.${wrong} of type string`;
}

/** The message for an object of a kind, as Kubernetes words it. @param summary the begin of the body */
export function cborRefusalText({problem, named}: CborRefusal, kind: string, version: string, summary: string): string {
  if (!named)
    return `the object provided is unrecognized (must be of type ${kind}): unable to determine group/version/kind: ${problem} (${summary})`;
  const given = typeof named.kind === 'string' && named.kind !== '' ? cutText(named.kind) : kind;
  const givenVersion =
    typeof named.apiVersion === 'string' && named.apiVersion !== '' ? cutText(named.apiVersion).split('/').at(-1) : version;
  return `${given} in version ${JSON.stringify(givenVersion)} cannot be handled as a ${kind}: ${problem}`;
}
