import {FieldPath, invalid, invalidObject, type ApiObject} from '../../../sdk/index.js';
import type {WriteResult} from '../result-object.js';
import {matchPath, type ObjectTarget, type ServedVersion} from '../served-version.js';
import type {SubresourceView} from '../subresources/subresource-view.js';
import {readLoosely, type DecodeTarget, type LooseObject} from './decode-object.js';
import {changeObject} from './change-object.js';
import type {MayCreate} from './changed-object.js';
import {settableOf} from './writable-fields.js';
import type {BodySource, WriteContext} from '../request-context.js';

/** An object that replaces the stored one, or the body of a subresource. */
export interface Update {
  readonly body: BodySource;
  readonly shape: DecodeTarget;
  readonly view: SubresourceView;
  readonly mayCreate?: MayCreate | undefined;
}

/**
 * Replaces an object, or the part of it that a subresource shows.
 *
 * @throws StatusError 400 (not an object of the type; a different name or none), 404, 409, 413, 422, 503
 */
export async function updateObject(
  served: ServedVersion,
  target: ObjectTarget,
  {body, shape, view, mayCreate}: Update,
  context: WriteContext,
): Promise<WriteResult> {
  const settable = shape === served.version ? settableOf(served, target) : undefined;
  const read = () => readLoosely(body, shape, context);
  let first: LooseObject | undefined = await read();
  const {uid} = first.object.metadata;
  matchPath(served, first.object, target);
  const compute = async (current: ApiObject | undefined): Promise<ApiObject> => {
    const loose = first ?? (await read());
    first = undefined;
    const wanted = loose.typed(settable && {...settable, before: current});
    if (context.task.isDue) await context.task.yield();
    if (!current) return wanted;
    if (view.needsVersion) requireVersion(served, wanted);
    return view.merge(current, wanted);
  };
  return changeObject(served, target, {uid, compute, mayCreate}, context);
}

/** @throws 422 for an update without a version if the type requires one */
export function requireVersion(served: ServedVersion, object: ApiObject): void {
  if (served.type.behaviour.unconditionalUpdate || object.metadata.resourceVersion) return;
  // Kubernetes names the type here by its plural.
  const {group, plural} = served.type;
  throw invalidObject({group, kind: plural}, object.metadata.name ?? '', [
    invalid(FieldPath.of('metadata', 'resourceVersion'), 0, 'must be specified for an update'),
  ]);
}
