import {StatusError, type ManagedFieldsEntry, type StatusCause} from '../../../../sdk/index.js';
import {fieldsOf, type FieldPathElements, type FieldSet} from '../fields/field-set.js';
import {pathText} from '../fields/path-element.js';
import {sortedFields} from '../fields/normal-fields.js';

/** A field that an apply would change and that somebody else owns. */
export interface Conflict {
  readonly owner: ManagedFieldsEntry;
  readonly path: FieldPathElements;
}

/** One conflict for each field of a set that an entry's manager owns. */
export function conflictsOf(owner: ManagedFieldsEntry, fields: FieldSet): Conflict[] {
  return [...fieldsOf(sortedFields(fields))].map((path) => ({owner, path}));
}

/**
 * 409 `Conflict`: an apply without force that would change fields of others. One cause for each field, with its path and owner.
 *
 * @param textOf how a path is written for the client
 */
export function conflictError(conflicts: readonly Conflict[], textOf: (path: FieldPathElements) => string = pathText): StatusError {
  const causes: StatusCause[] = conflicts.map(({owner, path}) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(owner)}`,
    field: textOf(path),
  }));
  return new StatusError(409, 'Conflict', conflictMessage(conflicts, textOf), {details: {causes}});
}

function conflictMessage(conflicts: readonly Conflict[], textOf: (path: FieldPathElements) => string): string {
  if (conflicts.length === 1) {
    const [{owner, path}] = conflicts as [Conflict];
    return `Apply failed with 1 conflict: conflict with ${ownerText(owner)}: ${textOf(path)}`;
  }
  const lines: string[] = [];
  for (const owner of new Set(conflicts.map((conflict) => conflict.owner))) {
    lines.push(`conflicts with ${ownerText(owner)}:`);
    for (const conflict of conflicts) if (conflict.owner === owner) lines.push(`- ${textOf(conflict.path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function ownerText({manager = '', subresource, operation, apiVersion}: ManagedFieldsEntry): string {
  const name = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '');
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
