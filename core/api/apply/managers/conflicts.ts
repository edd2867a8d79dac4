import {StatusError, type ManagedFieldsEntry, type StatusCause} from '../../../../sdk/index.js';
import {fieldsOf, type FieldPathElements, type FieldSet} from '../fields/field-set.js';
import {pathText} from '../fields/path-element.js';
import {sortedFields} from '../fields/normal-fields.js';

/** Fields that an apply would change and that somebody else owns. */
export interface Conflict {
  readonly owner: ManagedFieldsEntry;
  readonly fields: FieldSet;
}

/**
 * 409 `Conflict`: an apply without force that would change fields of others. One cause for each field, with its path and owner.
 *
 * @param textOf how a path is written for the client
 */
export function conflictError(conflicts: readonly Conflict[], textOf: (path: FieldPathElements) => string = pathText): StatusError {
  const owners = conflicts.map(({owner, fields}) => ({name: ownerText(owner), fields: [...fieldsOf(sortedFields(fields))].map(textOf)}));
  const causes = owners.flatMap(({name, fields}) =>
    fields.map((field): StatusCause => ({reason: 'FieldManagerConflict', message: `conflict with ${name}`, field})),
  );
  return new StatusError(409, 'Conflict', conflictMessage(owners, causes.length), {details: {causes}});
}

function conflictMessage(owners: readonly {name: string; fields: readonly string[]}[], count: number): string {
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${owners[0]!.name}: ${owners[0]!.fields[0]}`;
  const lines = owners.flatMap(({name, fields}) => [`conflicts with ${name}:`, ...fields.map((field) => `- ${field}`)]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

function ownerText({manager = '', subresource, operation, apiVersion}: ManagedFieldsEntry): string {
  const name = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '');
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
