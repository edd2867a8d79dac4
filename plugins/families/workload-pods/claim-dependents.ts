import {isNotFound, StatusError, type ApiObject, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import {controllerReference} from './controller-reference.js';

/** An object that may be controlled. */
export interface Dependent {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly controller: {readonly uid: string} | undefined;
  readonly isDeleted: boolean;
}

/** Who claims, and what. */
export interface Claim {
  readonly resources: ResourceClient;
  readonly owner: ApiObject;
  readonly ownerRef: ResourceRef;
  readonly apiVersion: string;
  readonly kind: string;
  /** Type and kind of what is claimed. */
  readonly dependents: ResourceRef;
  readonly dependentKind: string;
  /** What is claimed gets it, and loses it with its owner. */
  readonly finalizer?: string;
  readonly selects: (labels: Readonly<Record<string, string>>) => boolean;
}

/**
 * Of the objects that an owner controls or could, those that it controls afterwards: objects that its selector matches and nobody controls are adopted, those that it controls and
 * its selector no longer matches are released; neither once the owner is being deleted.
 *
 * @throws the first failure, after all have been tried
 */
export async function claimDependents<T extends Dependent>(claim: Claim, dependents: readonly T[]): Promise<T[]> {
  const {owner, selects} = claim;
  const isDeleted = Boolean(owner.metadata.deletionTimestamp);
  const claimed: T[] = [];
  const errors: unknown[] = [];
  let mayAdopt: Promise<void> | undefined;
  for (const dependent of dependents) {
    const {controller, labels} = dependent;
    try {
      if (controller) {
        if (controller.uid !== owner.metadata.uid) continue;
        if (selects(labels)) claimed.push(dependent);
        else if (!isDeleted) await release(claim, dependent);
      } else if (!isDeleted && !dependent.isDeleted && selects(labels)) {
        await (mayAdopt ??= checkOwner(claim, dependent));
        if (await adopt(claim, dependent)) claimed.push(dependent);
      }
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return claimed;
}

/** Reads the owner once more: what is in the cache may have been deleted. */
async function checkOwner(
  {resources, owner, ownerRef, kind, dependentKind}: Claim,
  {namespace, name: dependent, uid: dependentUid}: Dependent,
): Promise<void> {
  const {name = '', uid} = owner.metadata;
  const refuse = (why: string) => new Error(`can't adopt ${dependentKind} ${namespace}/${dependent} (${dependentUid}): ${why}`);
  const fresh = await resources.get(ownerRef, namespace, name).catch((error: unknown) => {
    throw refuse((error as Error).message);
  });
  if (fresh.metadata.uid !== uid)
    throw refuse(`original ${kind} ${namespace}/${name} is gone: got uid ${fresh.metadata.uid}, wanted ${uid}`);
  const {deletionTimestamp} = fresh.metadata;
  if (deletionTimestamp) throw refuse(`${namespace}/${name} has just been deleted at ${deletionTimestamp}`);
}

/** False for one that is gone. */
async function adopt(
  {resources, owner, apiVersion, kind, dependents, finalizer}: Claim,
  {namespace, name, uid}: Dependent,
): Promise<boolean> {
  const finalizers = finalizer === undefined ? {} : {finalizers: [finalizer]};
  const patch = {metadata: {uid, ownerReferences: [controllerReference(owner, apiVersion, kind)], ...finalizers}};
  try {
    await resources.patch(dependents, namespace, name, patch, '', {form: 'strategic'});
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function release({resources, owner, dependents, finalizer}: Claim, {namespace, name, uid}: Dependent): Promise<void> {
  const finalizers = finalizer === undefined ? {} : {'$deleteFromPrimitiveList/finalizers': [finalizer]};
  const patch = {metadata: {uid, ownerReferences: [{$patch: 'delete', uid: owner.metadata.uid}], ...finalizers}};
  try {
    await resources.patch(dependents, namespace, name, patch, '', {form: 'strategic'});
  } catch (error) {
    // It is gone, or another one has its name.
    if (!isNotFound(error) && !(StatusError.is(error) && error.code === 422)) throw error;
  }
}
