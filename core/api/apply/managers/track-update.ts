import type {JsonObject, ManagedFieldsEntry, Task} from '../../../../sdk/index.js';
import {isEmptySet, union} from '../fields/field-set.js';
import {compareObjects} from '../typed/compare.js';
import {capUpdates} from './cap-updates.js';
import {withinScope, type FieldScope} from './field-scope.js';
import {entryOf, fieldsOfEntry, isEntryOf, sortManagedFields, type ManagedFields} from './managed-fields.js';
import {withoutSystemFields} from './system-fields.js';
import {reconcileEntries, takeOver} from './take-over.js';
import {VersionedComparison, type FindVersion, type TypeVersion} from './versions.js';

export interface Writer {
  readonly manager: string;
  /** Empty for the main endpoint. */
  readonly subresource: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
  /** The fields that the endpoint lets the writer own. */
  readonly scope: FieldScope;
}

/**
 * The owners of an object's fields after a write other than apply. The writer owns what it added or modified; everyone else loses those
 * fields and the removed ones. Returns `entries` itself if no field changed.
 *
 * @param task asked between two parts of the work, so that other requests get their turn while a large object is processed
 * @param before the stored object, or the zero object of its type for a new one; in `version`, like `after`
 */
export function trackUpdate(
  before: JsonObject,
  after: JsonObject,
  entries: ManagedFields,
  version: TypeVersion,
  find: FindVersion,
  writer: Writer,
  task: Pick<Task, 'isDue' | 'yield'>,
): ManagedFields | Promise<ManagedFields> {
  const comparison = compareObjects(version.schema, before, after);
  if (!comparison) return entries;
  const changes = new VersionedComparison(before, after, version, comparison);
  if (entries.length === 0 && !task.isDue) return withWriter([], changes, version, writer);
  return trackInTurns(changes, entries, version, find, writer, task);
}

async function trackInTurns(
  changes: VersionedComparison,
  entries: ManagedFields,
  version: TypeVersion,
  find: FindVersion,
  writer: Writer,
  task: Pick<Task, 'isDue' | 'yield'>,
): Promise<ManagedFields> {
  if (task.isDue) await task.yield();
  const {entries: left} = await takeOver(reconcileEntries(entries, find), changes, find, task);
  if (task.isDue) await task.yield();
  return withWriter(left, changes, version, writer);
}

/** The owners that are left, and who writes. */
function withWriter(
  left: ManagedFieldsEntry[],
  {own: {written}}: VersionedComparison,
  version: TypeVersion,
  {manager, subresource, time, scope}: Writer,
): ManagedFields {
  const own = withoutSystemFields(withinScope(written, scope));
  if (isEmptySet(own)) return left;
  const identity = {manager, operation: 'Update', apiVersion: version.apiVersion, subresource} as const;
  const previous = left.findIndex((entry) => isEntryOf(entry, identity));
  const fields = previous < 0 ? own : union(fieldsOfEntry(left[previous]!), own);
  const entry = entryOf(identity, fields, time);
  if (previous < 0) left.push(entry);
  else left[previous] = entry;
  return sortManagedFields([...capUpdates(left)]);
}
