import {isJsonObject, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {parseAnswer} from '../../../sdk/https/index.js';
import type {ReviewVersion} from './hook.js';
import type {Review} from './review.js';

/** Maximum number of audit annotations kept per response, and maximum length of each. */
const annotationLimit = 100;
const annotationLength = 4096;
/** Only this many warnings are read: more cannot reach a client. */
const warningLimit = 1000;

/** A validated webhook response. */
export interface HookResponse {
  readonly allowed: boolean;
  /** The operations of a JSON patch; undefined if there is none. */
  readonly patch: JsonValue | undefined;
  readonly result: JsonObject | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: readonly (readonly [key: string, value: string])[];
}

/** A response that is not a valid answer to the review. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

/** An unreadable patch in an otherwise valid response. */
export class UnreadablePatch extends Error {
  override readonly name = 'UnreadablePatch';
}

/**
 * Reads the response to a review.
 *
 * @throws InvalidResponse with Kubernetes' message; UnreadablePatch
 */
export function readResponse(answer: JsonObject, {uid, apiVersion}: Review, version: ReviewVersion, isMutating: boolean): HookResponse {
  const {response} = answer;
  if (!isJsonObject(response)) throw new InvalidResponse('webhook response was absent');
  // In the older version, webhooks may leave out kind, version and uid.
  const isLenient = version === 'v1beta1';
  const answered = response['uid'] ?? '';
  if (answered !== uid && !(isLenient && answered === ''))
    throw new InvalidResponse(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(shown(answered))}`);
  const given = {apiVersion: answer['apiVersion'] ?? '', kind: answer['kind'] ?? ''};
  const isSilent = given.apiVersion === '' && given.kind === '';
  if (!(isLenient && isSilent) && (given.apiVersion !== apiVersion || given.kind !== 'AdmissionReview'))
    throw new InvalidResponse(
      `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${shown(given.apiVersion)}, Kind=${shown(given.kind)}`,
    );
  if (typeof response['allowed'] !== 'boolean') {
    const said = response['allowed'];
    if (said !== undefined && said !== null) throw new InvalidResponse('response.allowed is no boolean');
  }
  const allowed = response['allowed'] === true;
  const result = response['status'];
  return {
    allowed,
    patch: readPatch(response, isMutating, isLenient, allowed),
    result: isJsonObject(result) ? result : undefined,
    warnings: readWarnings(response['warnings']),
    auditAnnotations: readAnnotations(response['auditAnnotations']),
  };
}

function readPatch(response: JsonObject, isMutating: boolean, isLenient: boolean, allowed: boolean): JsonValue | undefined {
  const patch = response['patch'] ?? '';
  const type = response['patchType'] ?? undefined;
  if (typeof patch !== 'string') throw new InvalidResponse('response.patch is not a base64 string');
  if (!isMutating) {
    if (isLenient) return undefined;
    if (patch !== '') throw new InvalidResponse('validating webhook may not return response.patch');
    if (type !== undefined) throw new InvalidResponse('validating webhook may not return response.patchType');
    return undefined;
  }
  if (!isLenient && patch !== '' && type === undefined)
    throw new InvalidResponse('webhook returned response.patch but not response.patchType');
  if (!isLenient && patch === '' && type !== undefined)
    throw new InvalidResponse('webhook returned response.patchType but not response.patch');
  if (type !== undefined && type !== 'JSONPatch') throw new InvalidResponse(`unsupported patch type ${JSON.stringify(shown(type))}`);
  return patch === '' || !allowed ? undefined : decodePatch(patch);
}

function decodePatch(text: string): JsonValue | undefined {
  let patch: JsonValue;
  try {
    patch = parseAnswer(Buffer.from(text, 'base64'));
  } catch (error) {
    throw new UnreadablePatch(`response.patch is no JSON: ${(error as Error).message}`, {cause: error});
  }
  if (patch === null) return undefined;
  if (!Array.isArray(patch)) throw new UnreadablePatch('response.patch is no JSON patch: it must be an array of operations');
  return patch.length === 0 ? undefined : patch;
}

function readWarnings(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, warningLimit).filter((warning) => typeof warning === 'string' && warning !== '') as string[];
}

function readAnnotations(value: JsonValue | undefined): (readonly [string, string])[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0].length <= annotationLength)
    .slice(0, annotationLimit)
    .map(([key, text]) => [key, text.slice(0, annotationLength)] as const);
}

/** Responses may be hostile, so messages quote little of them. */
function shown(value: JsonValue): string {
  return typeof value === 'string' ? value.slice(0, 100) : typeof value;
}
