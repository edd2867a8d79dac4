import {
  boolType,
  bytesType,
  CelType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../types/cel-type.js';
import {Fault} from './fault.js';
import {OpaqueValue} from './opaque.js';
import {OptionalValue} from './optional.js';
import {DurationValue, TimestampValue} from './times.js';
import {Uint} from './uint.js';

export const listType = listOf(dynType);
export const mapType = mapOf(dynType, dynType);
export const optionalType = optionalOf(dynType);

/** The type of a value as evaluation knows it. Lists and maps do not tell what is in them. */
export function valueType(value: unknown): CelType {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'boolean':
      return boolType;
    case 'object':
      break;
    default:
      return errorType;
  }
  if (value === null) return nullType;
  if (Array.isArray(value)) return listType;
  if (value instanceof Map) return mapType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Uint) return uintType;
  if (value instanceof TimestampValue) return timestampType;
  if (value instanceof DurationValue) return durationType;
  if (value instanceof OptionalValue) return optionalType;
  if (value instanceof CelType) return typeType;
  if (value instanceof OpaqueValue) return value.type;
  return value instanceof Fault ? errorType : dynType;
}
