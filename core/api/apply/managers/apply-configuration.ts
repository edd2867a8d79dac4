import type {JsonObject, ManagedFieldsEntry} from '../../../../sdk/index.js';
import {equalSets, isEmptySet} from '../fields/field-set.js';
import {compareObjects} from '../typed/compare.js';
import {mergeObjects} from '../typed/merge.js';
import {ownedFields} from '../typed/owned-fields.js';
import {markFitting} from '../typed/reconcile.js';
import {withinScope} from './field-scope.js';
import type {Conflict} from './conflicts.js';
import {entryOf, fieldsOfEntry, isEntryOf, sortManagedFields, type ManagedFields} from './managed-fields.js';
import {prune} from './prune.js';
import {withoutSystemFields} from './system-fields.js';
import {reconcileEntries, takeOver} from './take-over.js';
import type {Writer} from './track-update.js';
import {VersionedComparison, type FindVersion, type TypeVersion} from './versions.js';

/** What is applied to what, and by whom. Objects are in `version`; none is changed. */
export interface Application {
  /** The stored object, or the zero object of its type. */
  readonly live: JsonObject;
  /** Just what the applier has an opinion about, as it was sent: nulls and empty values are opinions too. */
  readonly config: JsonObject;
  readonly entries: ManagedFields;
  readonly version: TypeVersion;
  readonly find: FindVersion;
  readonly applier: Writer;
  /** Brings an object that was put together from two into the form of its type: answers an object of its own. */
  normalize(object: JsonObject): JsonObject;
  /** Between two parts of the work: resolves when the next may begin, so that others have their turn where objects are large. */
  pause(): Promise<void> | undefined;
}

export interface Applied {
  /** The object with the configuration in it, as `normalize` made it, without defaults of what was given up. */
  readonly object: JsonObject;
  readonly entries: ManagedFields;
  /** Fields of others that the configuration changes. They are taken over in `entries`: without force the result is to be thrown away. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Applies a configuration (docs/semantics/apply.md#requests): its fields are merged into the live object and owned by the
 * applier, together with all who own the same value; what the applier owned before and left out is removed where nobody else owns it.
 */
export async function applyConfiguration({live, config, entries, version, find, applier, normalize, pause}: Application): Promise<Applied> {
  const {manager, subresource, time, scope} = applier;
  const {schema, apiVersion} = version;
  const known = reconcileEntries(entries, find);
  const identity = {manager, operation: 'Apply', apiVersion, subresource} as const;
  const last = known.find((entry) => isEntryOf(entry, identity));
  const scoped = withinScope(ownedFields(schema, config), scope);
  const own = entryOf(identity, withoutSystemFields(scoped), time);
  markFitting(schema, fieldsOfEntry(own));
  const others = known.filter((entry) => entry !== last);
  await pause();

  const merged = normalize(mergeObjects(schema, live, config));
  await pause();
  const lastFields = last && {fields: fieldsOfEntry(last), apiVersion: last.apiVersion ?? ''};
  const pruned = lastFields ? await prune(merged, version, lastFields, [...others, entryOf(identity, scoped, time)], find, pause) : merged;
  await pause();
  // An empty list of the configuration goes with the last of its items. It is to be there as it is the next time.
  const object = pruned === merged ? merged : normalize(mergeObjects(schema, normalize(pruned), config));

  await pause();
  const comparison = compareObjects(schema, live, object);
  await pause();
  const {entries: left, conflicts} = comparison
    ? await takeOver(others, new VersionedComparison(live, object, version, comparison), find, pause)
    : {entries: [...others], conflicts: []};
  if (!isEmptySet(fieldsOfEntry(own))) left.push(sameAs(last, own) && !comparison ? last! : own);
  return {object, entries: sortManagedFields(left), conflicts};
}

/** Whether an entry says the same as the one before, the time apart. */
function sameAs(last: ManagedFieldsEntry | undefined, own: ManagedFieldsEntry): boolean {
  return last !== undefined && last.apiVersion === own.apiVersion && equalSets(fieldsOfEntry(last), fieldsOfEntry(own));
}
