import type {DeleteCallOptions, ResourceClient, ResourceRef} from '../../../../sdk/index.js';
import {storageVersionOf, versionsOf, type CustomResourceDefinition} from '../custom-resource-definition.js';

/** What the client inside the server takes besides, and no contract promises. */
const pastAdmission: DeleteCallOptions & {readonly withoutAdmission: true} = {withoutAdmission: true};

/**
 * Deletes all objects of a type and returns how many still have finalizers. As in Kubernetes what was asked before for the dependents of an
 * object holds, and admission is not asked: a webhook that refuses, or that is already gone with its operator, would keep the definition for ever.
 *
 * @throws StatusError if they cannot be listed or deleted; 404 if the type is not served here (yet)
 */
export async function deleteInstances(resources: ResourceClient, definition: CustomResourceDefinition): Promise<number> {
  const ref = refOf(definition);
  if ((await resources.list(ref, '', {limit: 1})).items.length === 0) return 0;
  await resources.deleteCollection(ref, '', pastAdmission);
  const {items, metadata} = await resources.list(ref, '', {limit: 1});
  return items.length + (metadata.remainingItemCount ?? 0);
}

/** Any served version will do. The storage version needs no conversion, and is served if no other version is. */
function refOf(definition: CustomResourceDefinition): ResourceRef {
  const {group, names} = definition.spec;
  const served = versionsOf(definition).filter((version) => version.served);
  const storage = storageVersionOf(definition)!;
  const version = served.length === 0 || served.some(({name}) => name === storage) ? storage : served[0]!.name;
  return {group, version, resource: names.plural};
}
