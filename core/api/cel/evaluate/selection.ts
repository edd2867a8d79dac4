import {Entries} from '../values/entries.js';
import {entryOf, isOfSchema} from '../values/equality.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {ObjectValue} from '../values/object-value.js';
import {OptionalValue} from '../values/optional.js';
import {DurationValue, TimestampValue} from '../values/times.js';
import {Uint} from '../values/uint.js';
import {valueType} from '../values/value-type.js';
import {shownValue} from '../libraries/format-text.js';

/** The value of a field; undefined if there is none, and that is no fault. */
export function select(value: unknown, field: string, isTest: boolean): unknown {
  if (value instanceof OptionalValue) {
    const found = value.hasValue ? select(value.value, field, true) : undefined;
    return found;
  }
  if (value instanceof Map) {
    const found: unknown = (value as Map<unknown, unknown>).get(field);
    return found !== undefined || isTest ? found : missingKey(field);
  }
  if (Array.isArray(value)) return new Fault("unsupported index type 'string' in list");
  return isTest ? undefined : missingKey(field);
}

function missingKey(key: unknown): Fault {
  return new Fault(`no such key: ${shownValue(key)}`);
}

/** The item or entry of an index; undefined if there is none, and that is no fault. */
export function index(value: unknown, key: unknown, isTest: boolean): unknown {
  if (value instanceof Map) {
    if (typeof key !== 'string' && (value instanceof ObjectValue || (value instanceof Entries && value.isOfSchema)))
      return noSuchOverload();
    const found = isKey(key) ? entryOf(value as Map<unknown, unknown>, key) : undefined;
    return found !== undefined || isTest ? found : missingKey(key);
  }
  if (!Array.isArray(value)) return isTest ? undefined : missingKey(key);
  const at = key instanceof Uint ? Number(key.value) : key;
  if (typeof at === 'number' && isOfSchema(value) && at >= 0 && at < value.length)
    return new Fault(`unsupported index: ${shownValue(key)}`);
  if (typeof at === 'bigint' || typeof at === 'number') {
    const place = Number(at);
    if (!Number.isInteger(place)) return new Fault(`unsupported index value ${shownValue(key)} in list`);
    if (place >= 0 && place < value.length) return (value as unknown[])[place];
    return isTest ? undefined : new Fault(`index out of bounds: ${shownValue(key)}`);
  }
  return new Fault(`unsupported index type '${valueType(key).name}' in list`);
}

function isKey(key: unknown): boolean {
  return typeof key !== 'object' || key instanceof Uint || key instanceof DurationValue || key instanceof TimestampValue;
}

/** What a step makes of the value of an optional value, as an optional value. */
export function optionalOf(value: OptionalValue, step: (inner: unknown) => unknown): unknown {
  if (!value.hasValue) return value;
  const found = step(value.value);
  if (found instanceof Fault) return found;
  return found === undefined ? OptionalValue.none : OptionalValue.of(found);
}
