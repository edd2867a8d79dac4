import {parseDuration} from '../../../../sdk/values/duration.js';
import {meter} from '../cost-meter.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  timestampType,
  typeOf,
  uintType,
} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import {DurationValue, nanosPerSecond, parseTimestamp, TimestampValue} from '../values/times.js';
import {isInt64, Uint} from '../values/uint.js';
import {valueType} from '../values/value-type.js';
import {lengthOf} from './characters.js';
import {doubleText, plainDecimal} from './go-text.js';
import {form, functionsOf, method, paramA, paramB, type Library} from './overload.js';

const intOverflow = new Fault('integer overflow');
const uintOverflow = new Fault('unsigned integer overflow');
const timestampOverflow = new Fault('timestamp overflow');
const longestNumber = 400;

const failed = (from: string, to: string) => new Fault(`type conversion error from '${from}' to '${to}'`);
const identity = (value: unknown) => value;
const list = listOf(paramA);
const map = mapOf(paramA, paramB);

function sizeOf(value: string | Uint8Array | readonly unknown[] | ReadonlyMap<unknown, unknown>): bigint {
  if (typeof value === 'string') return BigInt(lengthOf(value));
  return BigInt(value instanceof Map ? value.size : (value as readonly unknown[]).length);
}

function intOf(value: bigint | number | string | Uint | DurationValue | TimestampValue): bigint | Fault {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') {
    const whole = Number.isNaN(value) || !Number.isFinite(value) ? undefined : BigInt(Math.trunc(value));
    return whole !== undefined && value > -(2 ** 63) && value < 2 ** 63 ? whole : intOverflow;
  }
  if (typeof value === 'string') {
    if (value.length > longestNumber || !/^[+-]?\d+$/.test(value)) return failed('string', 'int');
    const number = BigInt(value.replace(/^\+/, ''));
    return isInt64(number) ? number : failed('string', 'int');
  }
  if (value instanceof DurationValue) return value.nanos;
  if (value instanceof TimestampValue) return value.seconds;
  return isInt64(value.value) ? value.value : intOverflow;
}

function uintOf(value: bigint | number | string | Uint): Uint | Fault {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return value < 0n ? uintOverflow : new Uint(value);
  if (typeof value === 'number') return value >= 0 && value < 2 ** 64 ? new Uint(BigInt(Math.trunc(value))) : uintOverflow;
  const number = value.length <= longestNumber && /^\d+$/.test(value) ? BigInt(value) : undefined;
  return number !== undefined && Uint.isIn(number) ? new Uint(number) : failed('string', 'uint');
}

const namedDoubles: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

function doubleOf(value: bigint | number | string | Uint): number | Fault {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(value)!;
  const named = namedDoubles[rest.toLowerCase()];
  const hexadecimal = /^0[xX]([0-9a-fA-F]+)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d{1,5})$/.exec(rest);
  let number: number;
  if (named !== undefined) number = named;
  else if (hexadecimal) {
    const [, whole = '', fraction = '', power = ''] = hexadecimal;
    number = Number.parseInt(whole + fraction, 16) * 2 ** (Number(power) - 4 * fraction.length);
  } else number = value.length <= longestNumber && /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(rest) ? Number(rest) : Number.NaN;
  if (named === undefined && !Number.isFinite(number)) return failed('string', 'double');
  return sign === '-' ? -number : number;
}

const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const untruths: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

function boolOf(text: string): boolean | Fault {
  if (truths.has(text)) return true;
  return untruths.has(text) ? false : failed('string', 'bool');
}

const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

function textOf(value: unknown): string | Fault {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof DurationValue) return secondsText(value);
  if (value instanceof Uint8Array) {
    try {
      return decoder.decode(value);
    } catch {
      return new Fault('invalid UTF-8 in bytes, cannot convert to string');
    }
  }
  // A number, a boolean or a time.
  return String(value);
}

/** In seconds: `5400s`, `0.5s`. */
export function secondsText({nanos}: DurationValue): string {
  return `${plainDecimal(Number(nanos) / 1e9)}s`;
}

/** A length of time as Go reads it, without regard to whether it fits. */
export function durationOf(text: string): DurationValue | Fault {
  const nanos = text.length > 100 ? undefined : parseDuration(text);
  return nanos === undefined || !DurationValue.isIn(nanos) ? failed('string', 'google.protobuf.Duration') : new DurationValue(nanos);
}

export function timestampOf(value: bigint | string): TimestampValue | Fault {
  const time = typeof value === 'bigint' ? new TimestampValue(value * nanosPerSecond) : parseTimestamp(value);
  if (!time) return failed('string', 'google.protobuf.Timestamp');
  return TimestampValue.isIn(time.nanos) ? time : timestampOverflow;
}

export const overflows = {int: intOverflow, uint: uintOverflow, timestamp: timestampOverflow, duration: intOverflow};

function durationOfInt(): Fault {
  return failed('int', 'google.protobuf.Duration');
}

/** `size`, `type`, `dyn` and the functions that make a value of another type. */
export const conversionLibrary: Library = {
  functions: [
    ...functionsOf(
      {
        size: [...[bytesType, list, map, stringType].flatMap((type) => [form([type], intType, sizeOf), method([type], intType, sizeOf)])],
      },
      {kinds: new Set(['bytes', 'list', 'map', 'string'])},
    ),
    ...functionsOf({type: [form([paramA], typeOf(paramA), valueType)], dyn: [form([paramA], dynType, identity)]}),
    ...functionsOf({
      bool: [form([boolType], boolType, identity), form([stringType], boolType, boolOf)],
      bytes: [
        form([bytesType], bytesType, identity),
        form([stringType], bytesType, (text: string) => {
          meter.spend(text.length / 24);
          return Buffer.from(text);
        }),
      ],
      double: [doubleType, intType, stringType, uintType].map((type) => form([type], doubleType, doubleOf)),
      duration: [
        form([durationType], durationType, identity),
        form([intType], durationType, durationOfInt),
        form([stringType], durationType, durationOf),
      ],
      int: [intType, doubleType, durationType, stringType, timestampType, uintType].map((type) => form([type], intType, intOf)),
      string: [stringType, boolType, bytesType, doubleType, durationType, intType, timestampType, uintType].map((type) =>
        form([type], stringType, textOf),
      ),
      timestamp: [
        form([timestampType], timestampType, identity),
        form([intType], timestampType, timestampOf),
        form([stringType], timestampType, timestampOf),
      ],
      uint: [uintType, doubleType, intType, stringType].map((type) => form([type], uintType, uintOf)),
    }),
  ],
};
