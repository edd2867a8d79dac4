import type {JsonObject, Task} from '../../../../sdk/index.js';
import {difference, intersection, isEmptySet, union, unionOf, type FieldSet} from '../fields/field-set.js';
import {ownedFields} from '../typed/owned-fields.js';
import {removeFields} from '../typed/remove.js';
import {withNamedFields} from '../typed/with-named-fields.js';
import {fieldsOfEntry, type ManagedFields} from './managed-fields.js';
import type {FindVersion, TypeVersion} from './versions.js';

/**
 * Removes what an applier used to own, no longer owns, and nobody else owns.
 *
 * @param merged the live object merged with the configuration, in `version`
 * @param last the fields that the applier owned before, and their version
 * @param entries all owners, including the applier's new entry
 * @param task asked between two parts of the work
 * @returns `merged` itself if nothing is removed; places with nothing left may be null
 */
export async function prune(
  merged: JsonObject,
  version: TypeVersion,
  last: {fields: FieldSet; apiVersion: string},
  entries: ManagedFields,
  find: FindVersion,
  task: Pick<Task, 'isDue' | 'yield'>,
): Promise<JsonObject> {
  const lastVersion = find(last.apiVersion);
  if (!lastVersion || isEmptySet(last.fields)) return merged;
  const {schema} = lastVersion;
  const whole = await lastVersion.convert(merged);
  const lastFields = withNamedFields(schema, last.fields);
  if (task.isDue) await task.yield();

  const owned = ownedByVersion(entries, last.apiVersion);
  if (task.isDue) await task.yield();
  if (isEmptySet(difference(lastFields, withNamedFields(schema, owned.get(last.apiVersion) ?? {})))) return merged;
  if (task.isDue) await task.yield();
  let from: TypeVersion = lastVersion;
  let pruned = removeFields(schema, whole, lastFields);
  for (const [apiVersion, fields] of owned) {
    const next = find(apiVersion);
    if (!next) continue;
    pruned = addBack(next, from === next ? whole : await next.convert(whole), from === next ? pruned : await next.convert(pruned), fields);
    from = next;
    if (task.isDue) await task.yield();
  }
  if (from !== lastVersion) pruned = await lastVersion.convert(pruned);

  // Fields that nobody owns by name, but that were inside something pruned, are restored together with it.
  const before = fieldsWithNames(lastVersion, whole);
  if (task.isDue) await task.yield();
  const gone = difference(before, fieldsWithNames(lastVersion, pruned));
  if (task.isDue) await task.yield();
  const toRemove = intersection(gone, lastFields);
  if (isEmptySet(toRemove)) return merged;
  const result = removeFields(schema, whole, toRemove);
  return lastVersion === version ? result : version.convert(result);
}

/** Restores what somebody owns. */
function addBack(version: TypeVersion, whole: JsonObject, pruned: JsonObject, owned: FieldSet): JsonObject {
  const {schema} = version;
  const kept = union(fieldsWithNames(version, pruned), withNamedFields(schema, owned));
  return removeFields(schema, whole, difference(fieldsWithNames(version, whole), kept));
}

function fieldsWithNames({schema}: TypeVersion, object: JsonObject): FieldSet {
  return withNamedFields(schema, ownedFields(schema, object));
}

/**
 * The fields of all owners together, by version. The version `first` comes first, because what is kept in it may be needed to convert to
 * others.
 */
function ownedByVersion(entries: ManagedFields, first: string): Map<string, FieldSet> {
  const sets = new Map<string, FieldSet[]>();
  for (const preferred of [true, false]) {
    for (const entry of entries) {
      const {apiVersion = ''} = entry;
      if ((apiVersion === first) !== preferred) continue;
      const known = sets.get(apiVersion);
      if (known) known.push(fieldsOfEntry(entry));
      else sets.set(apiVersion, [fieldsOfEntry(entry)]);
    }
  }
  return new Map([...sets].map(([apiVersion, owned]) => [apiVersion, unionOf(owned)]));
}
