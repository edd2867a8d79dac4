import {isDeepStrictEqual} from 'node:util';
import type {ResourceType, ResourceTypeVersion} from './resource-type.js';

/**
 * Whether two definitions of a type show its objects in the same way, so that who watches them need not know which of the two is in
 * force. They may differ in verbs, names for people, and in rules for writes.
 */
export function areShownAlike(a: ResourceType, b: ResourceType): boolean {
  return (
    a.kind === b.kind &&
    a.listKind === b.listKind &&
    a.namespaced === b.namespaced &&
    a.storageVersion.name === b.storageVersion.name &&
    a.versions.length === b.versions.length &&
    a.versions.every((version, position) => areVersionsAlike(version, b.versions[position]!)) &&
    areConvertedAlike(a, b)
  );
}

function areVersionsAlike(a: ResourceTypeVersion, b: ResourceTypeVersion): boolean {
  return (
    a.name === b.name &&
    a.served === b.served &&
    a.schemaMark === b.schemaMark &&
    isDeepStrictEqual(a.printerColumns, b.printerColumns) &&
    isDeepStrictEqual(a.selectableFields, b.selectableFields)
  );
}

/** What something outside the process makes of objects may differ from one definition to the next, whatever they say. */
function areConvertedAlike({strategy: a}: ResourceType, {strategy: b}: ResourceType): boolean {
  if (a?.convertMany || b?.convertMany) return false;
  return a?.convert === b?.convert && a?.applyDefaults === b?.applyDefaults && a?.selectableFields === b?.selectableFields;
}
