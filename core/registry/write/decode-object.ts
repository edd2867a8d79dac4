import {
  apiVersionOf,
  badRequest,
  FieldPath,
  fieldErrorText,
  invalid,
  invalidObject,
  type ApiObject,
  type FieldError,
  type GroupVersionKind,
  type JsonObject,
  type StatusError,
} from '../../../sdk/index.js';
import {inTurnsIfLong} from '../../../sdk/values/interruptible.js';
import {quotedText} from '../../api/json/quoted-text.js';
import {encodeJson} from '../../api/codec/json.js';
import type {DecodeReport, ObjectSchema} from '../../api/object-schema/object-schema.js';
import {headMismatch, type GoDecoder} from '../../api/schema/go-words/mismatch.js';
import {headOf} from '../../api/schema/go-words/object-head.js';
import {cutText, valueText} from '../value-text.js';
import type {BodySource, DecodedBody, WriteContext} from '../request-context.js';

/** The requirements for a body that is an object of a type. */
export interface DecodeTarget {
  readonly kind: GroupVersionKind;
  readonly schema: ObjectSchema;
  /** Other versions of the kind that the body may have. */
  readonly acceptedVersions?: readonly string[];
  /** Whether the body may lack required fields, like the configuration of an apply. */
  readonly isPartial?: boolean;
  /** The type, if the body is an object of it. Custom resources must state their kind, because it is not one of the platform's. */
  readonly type?: {readonly origin: 'built-in' | 'custom'};
}

/** What an endpoint lets clients set. */
export interface Settable {
  readonly isStatus: boolean;
  /** Leaves the rest out of a body. The metadata stays whole; the body may be changed. */
  take(body: ApiObject): ApiObject;
  /** What stands there, if something does: values of a wrong type may stay where the release lets an update leave what is invalid. */
  readonly before?: ApiObject | undefined;
}

/** An object whose structural parts may have values of a wrong type: nothing else may process it before they are judged. */
export interface LooseObject {
  readonly object: ApiObject;
  /** @throws 422 for values of a wrong type in structural parts, with all other schema errors */
  typed(settable?: Settable): ApiObject;
}

/**
 * Turns a parsed body into an object of a type: its kind and version are checked (or filled in), values are checked against the types of
 * the schema, and unknown fields are dropped and reported as the request's field validation asks. The body is changed in place and becomes
 * the object.
 *
 * @param settable of the endpoint: what it does not take may be of a wrong type, and is left out then
 * @throws 400 for another version, for another kind or, in a custom resource, a missing kind, for values of a wrong type in typed parts
 * (all of them), and under Strict for every unknown and duplicate field; 422 for a custom resource of another kind, and for values of a
 * wrong type in structural parts, with all other schema errors
 */
export function decodeObject(body: DecodedBody, target: DecodeTarget, context: WriteContext, settable?: Settable): ApiObject {
  return decodeLoosely(body, target, context).typed(settable);
}

function decodeLoosely(body: DecodedBody, target: DecodeTarget, context: WriteContext): LooseObject {
  const report: DecodeReport = {unknown: []};
  const {object, refusal, head} = bringIntoForm(
    body.value === null && target.type?.origin === 'built-in' ? {} : body.value,
    target,
    report,
    body.cbor,
  );
  if (refusal !== undefined) throw badRequest(head ? refusal : cannotBeHandled(target.kind, refusal));
  const isBuiltIn = target.type?.origin === 'built-in';
  const unknown = target.type?.origin === 'custom' ? report.unknown.toSorted() : report.unknown;
  reportFields(body, unknown, context, {
    refuse: (problem) => badRequest(cannotBeHandled(target.kind, problem)),
    unknownFirst: isBuiltIn && !body.repetitions,
    ...(isBuiltIn && report.unknownIndex !== undefined && {unknownIndex: report.unknownIndex}),
  });
  return {object, typed: (settable) => (report.isMistyped ? wellTyped(object, target, settable) : object)};
}

/**
 * Reads and decodes a body, yielding to other requests in between if it is large. @throws as `decodeObject`, and 400 for a body that cannot
 * be read
 */
export function readObject(
  body: BodySource,
  target: DecodeTarget,
  context: WriteContext,
  settable?: Settable,
): ApiObject | Promise<ApiObject> {
  const loose = readLoosely(body, target, context);
  return loose instanceof Promise ? loose.then((object) => object.typed(settable)) : loose.typed(settable);
}

/** The same, where the types of values are judged once it is known what stands in the place of the object. */
export function readLoosely(body: BodySource, target: DecodeTarget, context: WriteContext): LooseObject | Promise<LooseObject> {
  const decoded = inTurnsIfLong(body(), context.task);
  return decoded instanceof Promise || context.task.isDue ? decodeLater(decoded, target, context) : decodeLoosely(decoded, target, context);
}

async function decodeLater(body: DecodedBody | Promise<DecodedBody>, target: DecodeTarget, context: WriteContext): Promise<LooseObject> {
  const decoded = await body;
  if (context.task.isDue) await context.task.yield();
  return decodeLoosely(decoded, target, context);
}

/** What stands before the fault in what is said of a body. */
const ofWhat = /^(?:\S+ in version "[^"]*" cannot be handled as a \S+|the object provided is unrecognized \([^)]*\)): /;

/**
 * As `decodeObject`, for the result of a patch.
 *
 * @param words of whom: what a strategic merge has made is read by another decoder than the JSON of other patches
 * @param patch the body of the patch; its own unknown and duplicate fields are reported with those of the result
 * @throws 422 for anything but an object of the type, with the field `patch` as its cause, and for values of a wrong type in structural
 * parts; 400 under Strict for unknown and duplicate fields
 */
export function decodePatched(
  value: unknown,
  words: GoDecoder,
  patch: DecodedBody,
  target: DecodeTarget,
  context: WriteContext,
  settable?: Settable,
): ApiObject {
  const report: DecodeReport = {unknown: []};
  const refuse = (problem: string) =>
    invalidObject({group: '', kind: ''}, '', [invalid(FieldPath.of('patch'), cutText(encodeJson(value)), problem)]);
  const {object, refusal, head} = bringIntoForm(value, target, report, words);
  // Of another kind nobody says what it was meant to be.
  if (refusal !== undefined) throw refuse(head ? refusal.replace(ofWhat, '') : refusal);
  reportFields(patch, [...(patch.unknown ?? []), ...report.unknown], context, {refuse});
  return report.isMistyped ? wellTyped(object, target, settable) : object;
}

/** The object, or why a value cannot be one of a type: by its kind and version (`head`), or by what is in it. */
type Outcome =
  | {readonly object: ApiObject; readonly refusal?: undefined; readonly head?: undefined}
  | {readonly object?: undefined; readonly refusal: string; readonly head?: true};

/** @throws 422 for a custom resource of another kind */
function bringIntoForm(value: unknown, target: DecodeTarget, report: DecodeReport, words?: GoDecoder): Outcome {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {refusal: `the body must be a JSON object of kind ${target.kind.kind}, not ${valueText(value)}`, head: true};
  const object = value as JsonObject;
  const wrongKind = (words && headMismatch(object, words)) ?? checkKind(object, target);
  if (wrongKind !== undefined) return {refusal: wrongKind, head: true};
  const faults = target.schema.decode(object, report, words);
  if (object['metadata'] === undefined || object['metadata'] === null) object['metadata'] = {};
  if (faults.length > 0) return {refusal: report.refusal ?? fieldErrorText(faults[0]!)};
  const decoded = object as unknown as ApiObject;
  // Clients send 0 if they have no version.
  if (decoded.metadata.resourceVersion === '0') delete decoded.metadata.resourceVersion;
  return {object: decoded};
}

function checkKind(object: JsonObject, {kind, acceptedVersions = [], type}: DecodeTarget): string | undefined {
  if (type?.origin === 'custom') return checkCustomKind(object, kind);
  const expected = apiVersionOf(kind);
  if (object['kind'] === kind.kind && object['apiVersion'] === expected) return undefined;
  for (const [member, standard] of [
    ['kind', kind.kind],
    ['apiVersion', expected],
  ] as const) {
    const given = object[member];
    if (given !== undefined && given !== null && given !== '') continue;
    const spelled = headOf(object, member);
    if (typeof spelled === 'string' && spelled !== '' && spelled !== standard)
      return mismatch({apiVersion: expected, ...object, [member]: spelled}, kind);
    object[member] = standard;
  }
  const {apiVersion, kind: given} = object;
  if (apiVersion !== expected && !acceptedVersions.some((version) => apiVersion === apiVersionOf({...kind, version})))
    return mismatch(object, kind);
  return given === kind.kind ? undefined : mismatch(object, kind);
}

/** Of a body that names no kind, so much is shown in the end. */
const summaryLength = 30;

/** A custom resource states its kind and version, in no other form. @throws 422 for another kind */
function checkCustomKind(object: JsonObject, kind: GroupVersionKind): string | undefined {
  const [expected, apiVersion, given] = [apiVersionOf(kind), object['apiVersion'] ?? '', object['kind'] ?? ''];
  if (typeof apiVersion !== 'string' || typeof given !== 'string') return mismatch(object, kind);
  if (given === '') {
    const text = encodeJson(object);
    return `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${cutText(text)}' (${text.slice(0, summaryLength)} ...)`;
  }
  if (apiVersion !== expected)
    return `the API version in the data (${cutText(apiVersion)}) does not match the expected API version (${expected})`;
  if (given !== kind.kind) throw otherKind(given, object, kind);
  return undefined;
}

/** Kubernetes has words of its own for kinds of other endpoints; here they are all kinds that this one does not know. */
function mismatch({apiVersion, kind: given}: JsonObject, kind: GroupVersionKind): string {
  if (typeof apiVersion !== 'string' || typeof given !== 'string')
    return `the object provided has kind ${valueText(given)} of apiVersion ${valueText(apiVersion)}, but this endpoint takes kind ${JSON.stringify(kind.kind)} of apiVersion ${JSON.stringify(apiVersionOf(kind))}`;
  const [shown, version] = [cutText(given), cutText(apiVersion)];
  if (version.split('/').length > 2)
    return `the object provided is unrecognized (must be of type ${kind.kind}): unexpected GroupVersion string: ${version}`;
  return `${shown} in version ${JSON.stringify(version.split('/').at(-1))} cannot be handled as a ${kind.kind}: no kind ${JSON.stringify(shown)} is registered for version ${JSON.stringify(version)}`;
}

function otherKind(given: string, object: JsonObject, kind: GroupVersionKind): StatusError {
  const {name} = (object['metadata'] ?? {}) as {name?: unknown};
  const shown = cutText(given);
  const faults = [invalid(FieldPath.of('kind'), shown, `must be ${kind.kind}`)];
  return invalidObject({...kind, kind: shown}, typeof name === 'string' ? cutText(name) : '', faults);
}

function cannotBeHandled({kind, version}: GroupVersionKind, problem: string): string {
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`;
}

/** What the endpoint takes of an object with values of a wrong type in structural parts. @throws 422 if that has some of them */
function wellTyped(object: ApiObject, target: DecodeTarget, settable?: Settable): ApiObject {
  const taken = settable ? settable.take(object) : object;
  const report: DecodeReport = {unknown: []};
  if (settable) target.schema.decode(taken as unknown as JsonObject, report);
  if (settable && !report.isMistyped) return taken;
  const faults = faultsOfMistyped(taken, target, settable);
  if (settable?.before && faults.every(({reason}) => reason !== 'FieldValueTypeInvalid')) return taken;
  throw invalidObject(target.kind, object.metadata.name ?? '', faults);
}

/** All errors of an object with values of a wrong type in structural parts, but those that an update may leave as they were. */
function faultsOfMistyped(object: ApiObject, {schema, isPartial}: DecodeTarget, settable?: Settable): FieldError[] {
  const json = object as unknown as JsonObject;
  if (!isPartial) schema.applyDefaults(json);
  const faults = schema.validate(json, settable?.before as JsonObject | undefined, {isStatus: settable?.isStatus ?? false});
  return isPartial ? faults.filter(({reason}) => reason === 'FieldValueTypeInvalid') : faults;
}

/** The duplicate fields of a body: for warnings, and as one error for YAML or several for JSON. */
export function repetitionTexts({duplicates, repetitions}: DecodedBody): {
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
} {
  const warnings = repetitions ?? duplicates.map((path) => fieldText('duplicate', path));
  const isYaml = repetitions !== undefined && repetitions.length > 0;
  return {warnings, errors: isYaml ? [`yaml: unmarshal errors:\n  ${repetitions.join('\n  ')}`] : warnings};
}

interface ReportOptions {
  readonly refuse: (problem: string) => StatusError;
  readonly unknownFirst?: boolean;
  /** Of CBOR, whose decoder names no field: the position of the first that is unknown. */
  readonly unknownIndex?: number;
}

/**
 * Reports unknown and duplicate fields, in the order of Kubernetes: fields unknown to a built-in type come first; it decodes JSON in one pass, which
 * does not look for duplicates in unknown fields.
 */
function reportFields(
  body: DecodedBody,
  unknownPaths: readonly string[],
  context: WriteContext,
  {refuse, unknownFirst = false, unknownIndex}: ReportOptions,
): void {
  if (context.fieldValidation === 'Ignore' || (unknownPaths.length === 0 && (body.repetitions ?? body.duplicates).length === 0)) return;
  const known = unknownFirst ? {...body, duplicates: body.duplicates.filter((path) => !isWithin(path, unknownPaths))} : body;
  const repeated = repetitionTexts(known);
  const unknown =
    unknownIndex === undefined
      ? unknownPaths.map((path) => fieldText('unknown', path))
      : [`cbor: found unknown field at map element index ${unknownIndex}`];
  const inOrder = (texts: readonly string[]) => (unknownFirst ? [...unknown, ...texts] : [...texts, ...unknown]);
  if (unknownPaths.length === 0 && repeated.warnings.length === 0) return;
  if (context.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${inOrder(repeated.errors).join(', ')}`);
  for (const message of inOrder(repeated.warnings)) context.warn(message);
}

/** Only a JSON patch is a list. */
function fieldText(what: 'unknown' | 'duplicate', path: string): string {
  return `${path.startsWith('[') ? 'json patch ' : ''}${what} field ${quotedText(path)}`;
}

function isWithin(path: string, parents: readonly string[]): boolean {
  return parents.some((parent) => path.startsWith(parent) && (path.length === parent.length || '.['.includes(path[parent.length]!)));
}
