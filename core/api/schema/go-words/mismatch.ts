import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import type {SchemaNode} from '../schema-node.js';
import {goPlaceOf, goTypeOf, type GoPlace} from './go-type.js';
import {textProblem} from './text-problem.js';

/**
 * Whose words refuse a value of the wrong type: those of the decoder of JSON, of the one that takes what a strategic merge patch has made, or of the one
 * of CBOR, which knows the types of what it was sent.
 */
export type GoDecoder = 'json' | 'unstructured' | CborTypes;

/** The types of the values in a body of CBOR. */
export interface CborTypes {
  /** @param steps from the whole to the value */
  typeAt(steps: readonly (string | number)[]): string;
}

/** What Go's decoders say of a value. */
export interface Mismatch {
  readonly text: string;
  /** The type reads its values itself: that ends the decoding, so that what was wrong before it is not reported. */
  readonly ends: boolean;
}

const longestNumber = 30;
const headMembers = ['apiVersion', 'kind'] as const;

/** Go's word for what a JSON value is; numbers with their digits where an integer was wanted. */
export function valueWord(value: JsonValue, wantsInteger: boolean): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return value === null ? 'null' : 'object';
    default:
      return wantsInteger ? `number ${String(value).slice(0, longestNumber)}` : 'number';
  }
}

/** What Go's decoder says of a value that is no object. */
export function noObjectText(value: JsonValue): string {
  return `json: cannot unmarshal ${valueWord(value, false)} into Go value of type map[string]interface {}`;
}

/** Go's word for the type that a JSON value has before it is put into a struct. */
function kindWord(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return 'map';
    default:
      return Number.isInteger(value) || typeof value === 'bigint' ? 'int64' : 'float64';
  }
}

/** Types that read their values themselves. */
const ownForms: ReadonlySet<SchemaNode['form']> = new Set(['quantity', 'time', 'micro-time', 'duration']);

/**
 * Why a value is not of the type that a schema wants, in the words of Go (decision 75).
 *
 * @param steps from the root to the value
 */
export function mismatchOf(
  root: SchemaNode,
  steps: readonly (string | number)[],
  node: SchemaNode,
  value: JsonValue,
  decoder: GoDecoder,
): Mismatch {
  const {form} = node;
  if (typeof decoder === 'object') return {text: cborText(root, steps, node, value, decoder), ends: true};
  if (node.type === 'int-or-string')
    return {text: `json: cannot unmarshal ${valueWord(value, true)} into Go value of type int32`, ends: true};
  if (ownForms.has(form)) {
    if (typeof value === 'string') return {text: textProblem(form!, value), ends: true};
    if (form === 'quantity') return {text: textProblem(form, '{}'), ends: true};
    return {text: `json: cannot unmarshal ${valueWord(value, false)} into Go value of type string`, ends: true};
  }
  if (form === 'bytes' && typeof value === 'string') {
    const text = textProblem(form, value);
    return {text: decoder === 'json' ? text : `error decoding from json: ${text}`, ends: decoder !== 'json'};
  }
  const place = goPlaceOf(root, steps);
  return decoder === 'json' ? {text: jsonText(place, node, value), ends: false} : {text: unstructuredText(place, node, value), ends: true};
}

/** What Go's decoders say of an object whose kind or version is no text. @returns undefined of one that names both, or leaves them out */
export function headMismatch(object: JsonObject, decoder: GoDecoder): string | undefined {
  for (const member of headMembers) {
    const value = object[member] ?? '';
    if (typeof value === 'string') continue;
    const word = kindWord(value);
    if (decoder === 'json')
      return `couldn't get version/kind; json parse error: json: cannot unmarshal ${valueWord(value, false)} into Go struct field .${member} of type string`;
    return word === 'int64' ? `cannot convert ${word} to string` : 'unrecognized type: string';
  }
  return undefined;
}

function jsonText({struct, field, type}: GoPlace, node: SchemaNode, value: JsonValue): string {
  const word = valueWord(value, node.type === 'integer');
  const into = field === '' ? `Go value of type ${type}` : `Go struct field ${struct}.${field} of type ${type}`;
  return `json: cannot unmarshal ${word} into ${into}`;
}

/** The outermost field is named, whatever is wrong in it. */
function cborText(root: SchemaNode, steps: readonly (string | number)[], node: SchemaNode, value: JsonValue, types: CborTypes): string {
  const {form} = node;
  if (typeof value === 'string' && form !== undefined)
    return `${form === 'bytes' ? 'cbor: failed to decode base64 from byte string: ' : ''}${textProblem(form, value)}`;
  if (form === 'duration') return `json: cannot unmarshal ${valueWord(value, false)} into Go value of type string`;
  const type = node.type === 'int-or-string' ? 'int32' : form !== undefined && form !== 'bytes' ? 'string' : goPlaceOf(root, steps).type;
  const [outermost] = steps;
  const into = outermost === undefined ? `Go value of type ${type}` : `Go struct field ${goTypeOf(root)}.${outermost} of type ${type}`;
  return `cbor: cannot unmarshal ${types.typeAt(steps)} into ${into}${cborDetail(node, value, type)}`;
}

function cborDetail(node: SchemaNode, value: JsonValue, type: string): string {
  if (Array.isArray(value) && node.type === 'object' && !node.additional)
    return ' (cannot decode CBOR array to struct without toarray option)';
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  return isInteger && (node.type === 'integer' || node.type === 'int-or-string') ? ` (${String(value)} overflows ${type})` : '';
}

function unstructuredText({type}: GoPlace, node: SchemaNode, value: JsonValue): string {
  const kind = kindWord(value);
  if (node.type === 'array' || node.form === 'bytes') return `cannot restore slice from ${kind}`;
  if (node.type === 'object') return node.additional ? `cannot restore map from ${kind}` : `cannot restore struct from: ${kind}`;
  const wanted =
    node.type === 'integer'
      ? node.format === 'int32'
        ? 'int32'
        : 'int64'
      : node.type === 'boolean'
        ? 'bool'
        : node.type === 'number'
          ? 'float64'
          : 'string';
  // Only numbers can be converted, as Go sees it, and that to texts too.
  const isConvertible = (kind === 'int64' && wanted !== 'bool') || (kind === 'float64' && (wanted === 'int32' || wanted === 'int64'));
  return isConvertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${wanted}`;
}
