import type {ManagedFieldsEntry, Task} from '../../../../sdk/index.js';
import {difference, intersection, isEmptySet} from '../fields/field-set.js';
import {reconcileFields} from '../typed/reconcile.js';
import type {Conflict} from './conflicts.js';
import {fieldsOfEntry, withFields, type ManagedFields} from './managed-fields.js';
import type {FindVersion, TypeVersion, VersionedComparison} from './versions.js';

/** The effect of a change on the previous owners of its fields. */
export interface TakeOver {
  /** Entries without the changed or removed fields. Empty entries and those of versions that no longer exist are dropped. */
  readonly entries: ManagedFieldsEntry[];
  /** Added or modified fields that others own. */
  readonly conflicts: readonly Conflict[];
}

/** Takes the changed fields away from all owners. Entries must be reconciled. */
export async function takeOver(
  entries: ManagedFields,
  changes: VersionedComparison,
  find: FindVersion,
  task: Pick<Task, 'isDue' | 'yield'>,
): Promise<TakeOver> {
  const left: ManagedFieldsEntry[] = [];
  const conflicts: Conflict[] = [];
  for (const entry of entries) {
    const version = find(entry.apiVersion ?? '');
    if (!version) continue;
    let fields = fieldsOfEntry(entry);
    const known = changes.in(version);
    const change = known instanceof Promise ? await known : known;
    if (change) {
      const touched = intersection(fields, change.written);
      if (!isEmptySet(touched)) {
        conflicts.push({owner: entry, fields: touched});
        fields = difference(fields, touched);
      }
      fields = difference(fields, change.removed);
    }
    const rest = withFields(entry, fields);
    if (!rest) continue;
    left.push(rest);
    if (task.isDue) await task.yield();
  }
  return {entries: left, conflicts};
}

/** Entries adapted to the current schemas (see `reconcileFields`). Entries of versions that no longer exist stay; `takeOver` drops them. */
export function reconcileEntries(entries: ManagedFields, find: FindVersion): ManagedFields {
  let changed = false;
  const result: ManagedFieldsEntry[] = [];
  for (const entry of entries) {
    const version = find(entry.apiVersion ?? '');
    const fitting = version ? reconciled(entry, version) : entry;
    changed ||= fitting !== entry;
    if (fitting) result.push(fitting);
  }
  return changed ? result : entries;
}

function reconciled(entry: ManagedFieldsEntry, {schema}: TypeVersion): ManagedFieldsEntry | undefined {
  return withFields(entry, reconcileFields(schema, fieldsOfEntry(entry)));
}
