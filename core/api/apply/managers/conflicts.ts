import {StatusError, type ManagedFieldsEntry, type StatusCause} from '../../../../sdk/index.js';
import {fieldsOf, type FieldPathElements, type FieldSet} from '../fields/field-set.js';
import {pathText} from '../fields/path-element.js';
import {sortedFields} from '../fields/normal-fields.js';

/** A field that an apply would change and that another manager owns. */
export interface Conflict {
  readonly owner: ManagedFieldsEntry;
  readonly fields: FieldSet;
}

/** An error names at most this many conflicts. */
const maximumShown = 100;

/**
 * 409 `Conflict`: an apply without force would change fields of other managers. There is one cause per field, with its path and owner. If
 * there are too many, the first ones are named and the rest are counted.
 *
 * @param textOf formats a path for the client
 * @param apiVersion in which the client knows the fields; by default each owner is named with the one in which it has written
 */
export function conflictError(
  conflicts: readonly Conflict[],
  textOf: (path: FieldPathElements) => string = pathText,
  apiVersion?: string,
): StatusError {
  const owners: OwnerConflicts[] = [];
  let count = 0;
  for (const {owner, fields} of conflicts) {
    const shown: string[] = [];
    for (const path of fieldsOf(sortedFields(fields))) if (count++ < maximumShown) shown.push(textOf(path));
    if (shown.length > 0) owners.push({name: ownerText(owner, apiVersion), fields: shown});
  }
  const causes = owners.flatMap(({name, fields}) =>
    fields.map((field): StatusCause => ({reason: 'FieldManagerConflict', message: `conflict with ${name}`, field})),
  );
  return new StatusError(409, 'Conflict', conflictMessage(owners, count), {details: {causes}});
}

interface OwnerConflicts {
  readonly name: string;
  readonly fields: readonly string[];
}

function conflictMessage(owners: readonly OwnerConflicts[], count: number): string {
  if (count === 1) return `Apply failed with 1 conflict: conflict with ${owners[0]!.name}: ${owners[0]!.fields[0]}`;
  const lines = owners.flatMap(({name, fields}) => [`conflicts with ${name}:`, ...fields.map((field) => `- ${field}`)]);
  if (count > maximumShown) lines.push(`and ${count - maximumShown} more`);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

function ownerText({manager = '', subresource, operation, apiVersion: written}: ManagedFieldsEntry, apiVersion = written): string {
  const name = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '');
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
