import {copyMembers} from '../../json/copy-members.js';
import {asMember, self, type FieldSet} from '../fields/field-set.js';
import {memberName} from '../fields/path-element.js';
import type {MergeSchema} from './merge-schema.js';

/**
 * The same set plus the structure fields on the way to its fields. Nobody owns a structure by itself, but a set of fields to remove or keep
 * with all their content must name it.
 */
export function withNamedFields(schema: MergeSchema, set: FieldSet): FieldSet {
  let result: Record<string, FieldSet> | undefined;
  for (const element in set) {
    if (element === self) continue;
    const subtree = set[element]!;
    const next = schemaBelow(schema, element);
    const below = next ? withNamedFields(next, subtree) : subtree;
    const name = memberName(element);
    const named = name !== undefined && schema.objects !== 'none' && schema.declares(name) ? asMember(below) : below;
    if (named === subtree) continue;
    result ??= copyMembers<Record<string, FieldSet>>(set);
    result[element] = named;
  }
  return result ?? set;
}

/** The schema at an element; undefined if the schema has no such place. */
export function schemaBelow(schema: MergeSchema, element: string): MergeSchema | undefined {
  const name = memberName(element);
  if (name !== undefined) return schema.objects === 'none' ? undefined : schema.member(name);
  return schema.lists === 'none' ? undefined : schema.items;
}
