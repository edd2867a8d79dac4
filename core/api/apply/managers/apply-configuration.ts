import type {JsonObject, ManagedFieldsEntry, Task} from '../../../../sdk/index.js';
import {equalSets, isEmptySet} from '../fields/field-set.js';
import {compareObjects} from '../typed/compare.js';
import {mergeObjects} from '../typed/merge.js';
import type {MergeSchema} from '../typed/merge-schema.js';
import {ownedFields} from '../typed/owned-fields.js';
import {withinScope} from './field-scope.js';
import type {Conflict} from './conflicts.js';
import {entryOf, fieldsOfEntry, isEntryOf, sortManagedFields, type ManagedFields} from './managed-fields.js';
import {prune} from './prune.js';
import {withoutSystemFields} from './system-fields.js';
import {reconcileEntries, takeOver} from './take-over.js';
import type {Writer} from './track-update.js';
import {VersionedComparison, type FindVersion, type TypeVersion} from './versions.js';

/** Input of an apply. Objects are in `version` and are not modified. */
export interface Application {
  /** The stored object, or the zero object of its type. */
  readonly live: JsonObject;
  /** Exactly the fields about which the applier has an opinion, as sent: nulls and empty values are opinions too. */
  readonly config: JsonObject;
  readonly entries: ManagedFields;
  readonly version: TypeVersion;
  readonly find: FindVersion;
  readonly applier: Writer;
  /** Brings a merged object into the form of its type. Returns a new object. */
  normalize(object: JsonObject): Promise<JsonObject>;
  /** A copy of a merged object with only what the endpoint lets an applier set, otherwise as it was sent. */
  writable(object: JsonObject): JsonObject;
  /** Asked between two parts of the work. */
  readonly task: Pick<Task, 'isDue' | 'yield'>;
}

export interface Applied {
  /** The object merged with the configuration, as returned by `normalize`, without defaults of fields that were given up. */
  readonly object: JsonObject;
  readonly entries: ManagedFields;
  /**
   * Fields of other owners that the configuration changes. `entries` already transfers them to the applier: without force, the result must
   * be discarded.
   */
  readonly conflicts: readonly Conflict[];
}

/**
 * Applies a configuration (docs/semantics/apply.md#requests). Its fields are merged into the live object, and the applier owns them
 * together with every other owner of the same value. Fields that the applier owned before and left out now are removed unless somebody else
 * owns them.
 */
export async function applyConfiguration({
  live,
  config,
  entries,
  version,
  find,
  applier,
  normalize,
  writable,
  task,
}: Application): Promise<Applied> {
  const {manager, subresource, time, scope} = applier;
  const {schema, apiVersion} = version;
  const known = reconcileEntries(entries, find);
  if (task.isDue) await task.yield();
  const identity = {manager, operation: 'Apply', apiVersion, subresource} as const;
  const last = known.find((entry) => isEntryOf(entry, identity));
  const owned = ownedFields(schema, config);
  if (task.isDue) await task.yield();
  const scoped = withinScope(owned, scope);
  const fields = withoutSystemFields(scoped);
  if (task.isDue) await task.yield();
  const own = entryOf(identity, fields, time);
  if (task.isDue) await task.yield();
  const others = known.filter((entry) => entry !== last);
  if (task.isDue) await task.yield();

  const united = mergeObjects(schema, live, config);
  if (task.isDue) await task.yield();
  const merged = await normalize(united);
  if (task.isDue) await task.yield();
  const lastFields = last && {fields: fieldsOfEntry(last), apiVersion: last.apiVersion ?? ''};
  const claims = lastFields && [...others, entryOf(identity, scoped, time)];
  if (task.isDue) await task.yield();
  const pruned = claims ? await prune(merged, version, lastFields, claims, find, task) : merged;
  if (task.isDue) await task.yield();
  // An empty list in the configuration disappears with the last of its items. It must exist as on the next apply.
  const wanted = pruned === merged ? united : await restored(schema, await normalize(pruned), config, task);
  const object = pruned === merged ? merged : await normalize(wanted);

  if (task.isDue) await task.yield();
  // As it was sent: what is filled in, or written in another way, is another value to its owner all the same, as in Kubernetes.
  const given = others.length === 0 ? object : writable(wanted);
  if (task.isDue) await task.yield();
  const comparison = compareObjects(schema, live, given);
  if (task.isDue) await task.yield();
  const {entries: left, conflicts} = comparison
    ? await takeOver(others, new VersionedComparison(live, object, version, comparison), find, task)
    : {entries: [...others], conflicts: []};
  if (!isEmptySet(fieldsOfEntry(own))) left.push(sameAs(last, own) && !comparison ? last! : own);
  return {object, entries: sortManagedFields(left), conflicts};
}

async function restored(schema: MergeSchema, pruned: JsonObject, config: JsonObject, task: Application['task']): Promise<JsonObject> {
  if (task.isDue) await task.yield();
  const object = mergeObjects(schema, pruned, config);
  if (task.isDue) await task.yield();
  return object;
}

/** Whether an entry equals the previous one, apart from its time. */
function sameAs(last: ManagedFieldsEntry | undefined, own: ManagedFieldsEntry): boolean {
  return last !== undefined && last.apiVersion === own.apiVersion && equalSets(fieldsOfEntry(last), fieldsOfEntry(own));
}
