import {isDeepStrictEqual} from 'node:util';
import type {ResourceType, ResourceTypeVersion} from './resource-type.js';

/**
 * Whether two definitions of a type show its objects identically, so that watchers need not know which of the two is in force. They may
 * differ in verbs, names for users, and rules for writes.
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

/** The results of an external converter may change from one definition to the next, whatever the definitions say. */
function areConvertedAlike({strategy: a}: ResourceType, {strategy: b}: ResourceType): boolean {
  if (a?.convertMany || b?.convertMany) return false;
  return a?.convert === b?.convert && a?.applyDefaults === b?.applyDefaults && a?.selectableFields === b?.selectableFields;
}
