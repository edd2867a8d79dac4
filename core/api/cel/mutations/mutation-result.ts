import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {setMember} from '../../json/set-member.js';
import {meter} from '../cost-meter.js';
import {Entries} from '../values/entries.js';
import {ObjectValue} from '../values/object-value.js';
import {DurationValue, TimestampValue} from '../values/times.js';
import {Uint} from '../values/uint.js';
import {secondsText} from '../libraries/conversions.js';
import {bytesPerStep, weightOfJson} from '../weight.js';
import {ConstructedObject, ConstructedPatch, membersOf, misplacedTypes} from './constructed-value.js';

/** To write a value as JSON. */
const stepsPerValue = 4;

/** The apply configuration that an expression evaluated to. @throws Error if it is none */
export function applyConfigurationOf(value: unknown): JsonObject {
  if (!(value instanceof ConstructedObject)) throw new Error('unsupported return type from ApplyConfiguration expression');
  checkPlaces(value, 'Object');
  return jsonOf(value, withoutNulls) as JsonObject;
}

/** The operations that an expression evaluated to. @throws Error if they are none */
export function jsonPatchOf(value: unknown): JsonValue[] {
  if (!Array.isArray(value)) throw new Error('type mismatch: JSONPatchType.expression should evaluate to array');
  return value.map((operation: unknown) => {
    if (!(operation instanceof ConstructedPatch))
      throw new Error('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
    const given = operation.get('value');
    if (given instanceof ConstructedObject) checkPlaces(given, given.typeName);
    return jsonOf(operation, asItIs);
  });
}

function checkPlaces(value: ConstructedObject, expected: string): void {
  const problems = misplacedTypes(value, expected);
  if (problems.length > 0) throw new Error(`type mismatch: ${problems.join('\n')}`);
}

/** What becomes of an object that was given, and is copied. */
type Copy = (raw: JsonValue) => JsonValue;

const asItIs: Copy = (raw) => raw;

/** A null that is copied says nothing, unlike one that an expression makes. */
function withoutNulls(raw: JsonValue): JsonValue {
  if (typeof raw !== 'object' || raw === null) return raw;
  if (Array.isArray(raw)) return raw.map(withoutNulls);
  const members: JsonObject = {};
  for (const [name, member] of Object.entries(raw))
    if (member !== null && member !== undefined) setMember(members, name, withoutNulls(member));
  return members;
}

/** A value of an expression as JSON. @throws Error for values that JSON has not */
function jsonOf(value: unknown, copy: Copy): JsonValue {
  meter.spend(stepsPerValue);
  switch (typeof value) {
    case 'string':
      meter.spend(value.length / bytesPerStep);
      return value;
    case 'boolean':
      return value;
    case 'bigint':
      return numberOf(value);
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'object':
      return value === null ? null : ofObject(value, copy);
    default:
  }
  throw unwritable();
}

function ofObject(value: object, copy: Copy): JsonValue {
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, copy));
  if (value instanceof ObjectValue || value instanceof Entries) {
    meter.spend(weightOfJson(value.raw, meter.left));
    return copy(value.raw);
  }
  if (value instanceof Map) {
    const members: JsonObject = {};
    for (const [name, member] of membersOf(value)) {
      if (typeof name !== 'string') throw new Error(`map key ${JSON.stringify(String(name))} is not a string`);
      setMember(members, name, jsonOf(member, copy));
    }
    return members;
  }
  if (value instanceof Uint8Array) {
    meter.spend(value.length / bytesPerStep);
    return Buffer.from(value).toString('base64');
  }
  if (value instanceof TimestampValue) return value.toString();
  if (value instanceof DurationValue) return secondsText(value);
  if (value instanceof Uint) return numberOf(value.value);
  throw unwritable();
}

function numberOf(value: bigint): JsonValue {
  const plain = Number(value);
  return Number.isSafeInteger(plain) ? plain : value;
}

function unwritable(): Error {
  return new Error('a value has a type that JSON has not');
}
