import {compareNumbers} from '../values/equality.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {DurationValue, TimestampValue} from '../values/times.js';

const unordered = new Fault('NaN values cannot be ordered');

/** Negative, 0 or positive. */
export function compare(a: unknown, b: unknown): number | Fault {
  switch (typeof a) {
    case 'string':
      return typeof b === 'string' ? compareTexts(a, b) : noSuchOverload();
    case 'boolean':
      return typeof b === 'boolean' ? Number(a) - Number(b) : noSuchOverload();
    default:
  }
  const order = compareNumbers(a, b);
  if (order !== undefined) return order;
  if ((typeof a === 'number' && Number.isNaN(a)) || (typeof b === 'number' && Number.isNaN(b)))
    return isNumber(a) && isNumber(b) ? unordered : noSuchOverload();
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (a instanceof TimestampValue && b instanceof TimestampValue) return signOf(a.nanos - b.nanos);
  if (a instanceof DurationValue && b instanceof DurationValue) return signOf(a.nanos - b.nanos);
  return noSuchOverload();
}

function isNumber(value: unknown): boolean {
  return compareNumbers(value, 0) !== undefined || Number.isNaN(value);
}

function signOf(difference: bigint): number {
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** In the order of their bytes in UTF-8, which is that of their characters. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const surrogate = /[\ud800-\udfff]/;
