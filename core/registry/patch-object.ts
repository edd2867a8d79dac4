import {StatusError, unsupportedMediaType, type ApiObject, type JsonValue} from '../../sdk/index.js';
import {applyJsonPatch} from '../api/patch/apply-json-patch.js';
import {parseJsonPatch} from '../api/patch/json-patch.js';
import {applyMergePatch} from '../api/patch/merge-patch.js';
import {decodeObject} from './decode-object.js';
import type {Endpoint, ObjectTarget} from './endpoint.js';
import type {WriteResult} from './result-object.js';
import {updateObject} from './update-object.js';
import type {DecodedBody, WriteContext} from './write-context.js';

/** Kinds of patch by their media type. */
export type PatchKind = 'application/json-patch+json' | 'application/merge-patch+json';

/** Media types of patches that a type takes, for the answer to one that it does not take. */
export const patchMediaTypes: readonly PatchKind[] = ['application/json-patch+json', 'application/merge-patch+json'];

/**
 * Changes part of an object. The patch is applied to the current object in the version of the request; after a conflict it
 * is applied anew.
 *
 * @throws StatusError 400 (malformed patch, wrong types), 404, 409, 415, 422 (a patch that does not fit, an invalid result), 503
 */
export async function patchObject(endpoint: Endpoint, target: ObjectTarget, kind: string, body: DecodedBody, context: WriteContext): Promise<WriteResult> {
  const apply = patchFunction(kind, body.value as JsonValue);
  const change = {
    compute(current: ApiObject | undefined): ApiObject {
      const patched = apply(current as unknown as JsonValue);
      const object = decodeObject({value: patched, duplicates: body.duplicates}, {kind: endpoint.version.kind, schema: endpoint.version.schema}, context);
      // A version that the patch did not set is the one it was applied to: the write does not depend on it.
      if (object.metadata.resourceVersion === current?.metadata.resourceVersion) delete object.metadata.resourceVersion;
      return object;
    },
  };
  return updateObject(endpoint, target, change, context);
}

/** Answers a function that applies the patch to a document and returns a new one, sharing nothing with it. */
function patchFunction(kind: string, patch: JsonValue): (document: JsonValue) => JsonValue {
  if (kind === 'application/json-patch+json') {
    const operations = parseJsonPatch(patch);
    return (document) => applyJsonPatch(document, operations);
  }
  if (kind === 'application/merge-patch+json') {
    if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
      throw new StatusError(400, 'BadRequest', 'a merge patch must be a JSON object');
    }
    return (document) => applyMergePatch(document, patch);
  }
  throw unsupportedMediaType(kind, patchMediaTypes);
}
