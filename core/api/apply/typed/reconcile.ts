import {copyMembers} from '../../json/copy-members.js';
import {emptySet, isEmptySet, self, type FieldSet} from '../fields/field-set.js';
import type {MergeSchema} from './merge-schema.js';
import {schemaBelow} from './with-named-fields.js';

/**
 * Adapts a set of owned fields to the current schema. What has become atomic is owned as a whole by everyone who owned a part of it. What
 * has become granular has no owners inside: only the place itself stays in the set. Returns the set itself if nothing changed.
 */
export function reconcileFields(schema: MergeSchema, set: FieldSet): FieldSet {
  if (schema.isUnknown) return set;
  let result: Record<string, FieldSet> | undefined;
  for (const element in set) {
    if (element === self) continue;
    const subtree = set[element]!;
    const next = isEmptySet(subtree) ? undefined : schemaBelow(schema, element);
    if (!next) continue;
    const fits =
      next.objects === 'atomic' || (next.lists === 'atomic' && next.objects === 'none') ? emptySet : reconcileFields(next, subtree);
    if (fits === subtree) continue;
    result ??= copyMembers<Record<string, FieldSet>>(set);
    result[element] = fits;
  }
  return result ?? set;
}
