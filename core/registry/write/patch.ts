import {cloneJson} from '../../api/json/clone-json.js';
import {
  apiVersionOf,
  badRequest,
  StatusError,
  unsupportedMediaType,
  type ApiObject,
  type GroupVersionKind,
  type JsonObject,
  type JsonValue,
} from '../../../sdk/index.js';
import {patchInPlace} from '../../api/patch/apply-json-patch.js';
import {parseJsonPatch, type PatchReading} from '../../api/patch/json-patch.js';
import {mergeInto} from '../../api/patch/merge-patch.js';
import {malformedPatch} from '../../api/patch/patch-error.js';
import {noObjectText} from '../../api/schema/go-words/mismatch.js';
import {mergeStrategically} from '../../api/patch/strategic-merge-patch.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {decodePatched, type DecodeTarget} from './decode-object.js';
import type {ServedVersion, ObjectTarget} from '../served-version.js';
import type {WriteResult} from '../result-object.js';
import {SchemaPatchView} from './schema-patch-view.js';
import type {SubresourceView} from '../subresources/subresource-view.js';
import {changeObject} from './change-object.js';
import {forgetVersion} from './changed-object.js';
import {settableOf} from './writable-fields.js';
import {requireVersion} from './update.js';
import type {DecodedBody, WriteContext} from '../request-context.js';

/** Media type of server-side apply, which `applyObject` carries out. */
export const applyPatch = 'application/apply-patch+yaml';
/** The same in CBOR, where it is served. */
export const applyCbor = 'application/apply-patch+cbor';
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicMergePatch = 'application/strategic-merge-patch+json';

/** Media types of patches, by the names that the clients of the sdk give them. */
export const patchForms = {json: jsonPatch, merge: mergePatch, strategic: strategicMergePatch} as const;

const forStructural: readonly string[] = [jsonPatch, mergePatch, applyPatch];
const forTyped: readonly string[] = [jsonPatch, mergePatch, strategicMergePatch, applyPatch];

export function isApplyPatch(mediaType: string): boolean {
  return mediaType === applyPatch || mediaType === applyCbor;
}

/** Media types of the patches that a type supports: strategic merge patch needs the merge keys that only built-in types have. */
export function patchMediaTypes(version: ResourceTypeVersion, hasCbor: boolean): readonly string[] {
  const types = version.schema.node.kubernetesSemantics ? forTyped : forStructural;
  return hasCbor ? [...types, applyCbor] : types;
}

/** All media types of patches, as OpenAPI documents list them. */
export function allPatchMediaTypes(hasCbor: boolean): readonly string[] {
  return hasCbor ? [...forTyped, applyCbor] : forTyped;
}

/** 415 for a patch of a form that the type does not have. Custom resources have one route for all forms, which names those that it takes. */
export function unsupportedPatch(version?: ResourceTypeVersion, hasCbor = false): StatusError {
  if (version?.type.origin === 'custom') return unsupportedMediaType(patchMediaTypes(version, hasCbor));
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {details: {}});
}

/** A patch and its target: the object itself, or the part that a subresource shows. */
export interface Patch {
  readonly mediaType: string;
  readonly body: DecodedBody;
  readonly shape: DecodeTarget;
  readonly view: SubresourceView;
}

/**
 * Changes part of an object. The patch is applied to the current object in the version of the request, and again after a conflict.
 *
 * @throws StatusError 400 (malformed patch, another name), 404, 409, 413, 415, 422 (a patch that cannot be applied, an invalid result), 503
 */
export async function patchObject(served: ServedVersion, target: ObjectTarget, patch: Patch, context: WriteContext): Promise<WriteResult> {
  const {mediaType, body, shape, view} = patch;
  const unknown: string[] = [];
  const words = mediaType === strategicMergePatch ? 'unstructured' : 'json';
  const settable = shape === served.version ? settableOf(served, target) : undefined;
  const apply = patchFunction(mediaType, body.value as JsonValue, shape, {unknown, checksTypes: context.fieldValidation !== 'Ignore'});
  const change = {
    async compute(current: ApiObject | undefined): Promise<ApiObject> {
      const shown = view.current(current!);
      const document = cloneJson(shown as unknown as JsonObject);
      if (context.task.isDue) await context.task.yield();
      const patched = apply(document);
      if (context.task.isDue) await context.task.yield();
      const object = decodePatched(patched, words, {...body, unknown}, shape, context, settable && {...settable, before: shown});
      // A patch may take the version away. Where it takes the name too, that is what is wrong.
      if (view.needsVersion && object.metadata.name) requireVersion(served, object);
      // If the patch set no version, the write does not depend on the one it was applied to.
      if (object.metadata.resourceVersion === shown.metadata.resourceVersion) forgetVersion(object);
      return view.merge(current!, object);
    },
  };
  return changeObject(served, target, change, context);
}

/** An object of a kind, unless it names its own by what is no text at all. */
function ofKind(object: JsonObject, kind: GroupVersionKind): JsonObject {
  const standard = {kind: kind.kind, apiVersion: apiVersionOf(kind)};
  for (const member of ['kind', 'apiVersion'] as const) {
    const given = object[member] ?? '';
    if (typeof given === 'string') object[member] = standard[member];
  }
  return object;
}

/** Returns a function that applies the patch to a document, which becomes the result. The patch stays as it is. */
function patchFunction(
  mediaType: string,
  patch: JsonValue,
  {kind, schema}: DecodeTarget,
  reading: PatchReading,
): (document: JsonObject) => JsonValue {
  switch (mediaType) {
    case jsonPatch: {
      const operations = parseJsonPatch(patch, reading);
      return (document) => patchInPlace(document, operations);
    }
    case mergePatch:
      if (patch === null) throw badRequest('Invalid JSON Patch');
      if (typeof patch !== 'object' || Array.isArray(patch)) throw malformedPatch(noObjectText(patch));
      return (document) => mergeInto(document, patch);
    case strategicMergePatch:
      // Only the fields of the patch count, not its kind: clients send the kind of the object to a subresource of another kind.
      return (document) => ofKind(mergeStrategically(document, patch, SchemaPatchView.of(schema.node)), kind);
    default:
      throw unsupportedPatch();
  }
}
