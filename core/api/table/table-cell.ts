import type {PrinterColumn} from '../../../sdk/index.js';
import {encodeJson} from '../codec/json.js';
import {formatAge} from './duration.js';

/** One cell of a Table. */
export type TableCell = string | number | bigint | boolean | null;

/**
 * The cell for the results of a column's JSON path (Kubernetes' rule for custom resource columns). No result gives null; a string column
 * shows all results joined by blanks; other columns show the first one if it has their type; a date is shown as an age.
 */
export function cellFor(type: PrinterColumn['type'], found: readonly unknown[], now: Date): TableCell {
  if (found.length === 0) return null;
  const [value] = found;
  switch (type) {
    case 'string':
      return found.map(cellText).join(' ');
    case 'integer':
      if (typeof value === 'number') return Math.trunc(value);
      return typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      if (value === null) return '<unknown>';
      return typeof value === 'string' ? formatAge(value === '' ? 'none' : value, now) : null;
  }
}

function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '<nil>' : encodeJson(value);
}
