import {StatusError, type ResourceClient, type ResourceRef} from '../../../../sdk/index.js';
import {storageVersionOf, versionsOf, type CustomResourceDefinition} from '../custom-resource-definition.js';

/**
 * Asks for the deletion of all objects of a type and answers how many finalizers still hold.
 *
 * @throws StatusError when they cannot be listed or deleted; 404 when the type is not served here (yet)
 */
export async function deleteInstances(resources: ResourceClient, definition: CustomResourceDefinition): Promise<number> {
  const ref = refOf(definition);
  if ((await resources.list(ref, '', {limit: 1})).items.length === 0) return 0;
  await resources.deleteCollection(ref, '', {propagationPolicy: 'Background'});
  const {items, metadata} = await resources.list(ref, '', {limit: 1});
  return items.length + (metadata.remainingItemCount ?? 0);
}

/** Any served version will do; the storage version needs no conversion, and is served where no other is. */
function refOf(definition: CustomResourceDefinition): ResourceRef {
  const {group, names} = definition.spec;
  const served = versionsOf(definition).filter((version) => version.served);
  const storage = storageVersionOf(definition)!;
  const version = served.length === 0 || served.some(({name}) => name === storage) ? storage : served[0]!.name;
  return {group, version, resource: names.plural};
}

/** The request names nothing (any more). */
export function isNotFound(error: unknown): boolean {
  return StatusError.is(error) && error.reason === 'NotFound';
}

/** Somebody else has written meanwhile. */
export function isConflict(error: unknown): boolean {
  return StatusError.is(error) && error.reason === 'Conflict';
}
