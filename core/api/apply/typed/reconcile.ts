import {copyMembers} from '../../json/copy-members.js';
import {emptySet, isEmptySet, self, type FieldSet} from '../fields/field-set.js';
import type {MergeSchema} from './merge-schema.js';
import {schemaBelow} from './with-named-fields.js';

/** Sets that are known to fit a schema: nothing need be done for them again. */
const fitting = new WeakMap<FieldSet, MergeSchema>();

/**
 * A set of owned fields as the present schema has it. What has become atomic since is owned as a whole by everybody who owned a part
 * of it. What has become granular has no owners inside: the place alone stays in the set. Itself when nothing changed.
 */
export function reconcileFields(schema: MergeSchema, set: FieldSet): FieldSet {
  if (fitting.get(set) === schema) return set;
  const result = reconcile(schema, set);
  if (!isEmptySet(result)) fitting.set(result, schema);
  return result;
}

/** Remembers that a set was made by this schema. */
export function markFitting(schema: MergeSchema, set: FieldSet): void {
  if (!isEmptySet(set)) fitting.set(set, schema);
}

function reconcile(schema: MergeSchema, set: FieldSet): FieldSet {
  if (schema.isUnknown) return set;
  let result: Record<string, FieldSet> | undefined;
  for (const element in set) {
    if (element === self) continue;
    const subtree = set[element]!;
    const next = isEmptySet(subtree) ? undefined : schemaBelow(schema, element);
    if (!next) continue;
    const fits = next.objects === 'atomic' || (next.lists === 'atomic' && next.objects === 'none') ? emptySet : reconcile(next, subtree);
    if (fits === subtree) continue;
    result ??= copyMembers<Record<string, FieldSet>>(set);
    result[element] = fits;
  }
  return result ?? set;
}
