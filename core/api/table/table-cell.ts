import type {PrinterColumn} from '../../../sdk/index.js';
import {encodeJson} from '../codec/json.js';
import {fitsIntegerFormat} from '../schema/json-type.js';
import {formatAge} from './duration.js';

/** What Go makes of a number that is too large for an integer. */
const leastInteger = -(2n ** 63n);

/** One cell of a Table. */
export type TableCell = string | number | bigint | boolean | null;

/**
 * The cell for the results of a column's JSON path (Kubernetes' rule for custom resource columns): the first one counts. No result gives null; a
 * string column shows any value, other columns one of their type; a date is shown as an age.
 */
export function cellFor(type: PrinterColumn['type'], found: readonly unknown[], now: Date): TableCell {
  if (found.length === 0) return null;
  const [value] = found;
  switch (type) {
    case 'string':
      return cellText(value);
    case 'integer':
      if (typeof value === 'number') return fitsIntegerFormat(Math.trunc(value), 'int64') ? Math.trunc(value) : leastInteger;
      return typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return value === null || typeof value === 'string' ? formatAge(value, now) : null;
  }
}

function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '<no value>' : encodeJson(value);
}
