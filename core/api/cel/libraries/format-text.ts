import {meter} from '../cost-meter.js';
import {CelType} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import {OpaqueValue} from '../values/opaque.js';
import {OptionalValue} from '../values/optional.js';
import {DurationValue, TimestampValue} from '../values/times.js';
import {Uint} from '../values/uint.js';
import {valueType} from '../values/value-type.js';
import {secondsText} from './conversions.js';
import {doubleText} from './go-text.js';
import {quotedText} from '../../json/quoted-text.js';
import {readFormat, clauseFaults, type Clause} from './format-clauses.js';

const defaultPrecision = 6;
/** The steps for a clause, and characters of its text that are written in one step. */
const stepsPerClause = 20;

/** `text.format(list)`: `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X` and `%o`. */
export function formatText(text: string, args: readonly unknown[]): string | Fault {
  let fault: Fault | undefined;
  const found = readFormat(text, args.length, (clause, at) => {
    meter.spend(stepsPerClause);
    const shown = textOf(clause, args[at]);
    if (shown instanceof Fault) fault ??= shown;
    else meter.spend(shown.length / 8);
    return shown instanceof Fault ? {fault: shown.message} : {text: shown};
  });
  return 'fault' in found ? (fault && found.fault === fault.message ? fault : new Fault(found.fault)) : found.text;
}

function textOf({letter, precision = defaultPrecision}: Clause, value: unknown): string | Fault {
  const refused = () => new Fault(`error during formatting: ${clauseFaults[letter]!}${valueType(value).name}`);
  switch (letter) {
    case 's':
      return stringOf(value);
    case 'd':
      return wholeOf(value)?.toString() ?? refused();
    case 'f':
    case 'e': {
      const number = typeof value === 'string' ? namedNumbers[value] : value;
      if (typeof number !== 'number') return refused();
      return letter === 'f' ? fixed(number, precision) : scientific(number, precision);
    }
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return wholeOf(value)?.toString(2) ?? refused();
    case 'o':
      return wholeOf(value)?.toString(8) ?? refused();
    default: {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? Buffer.from(value) : undefined;
      const hex = bytes?.toString('hex') ?? wholeOf(value)?.toString(16);
      if (hex === undefined) return refused();
      return letter === 'X' ? hex.toUpperCase() : hex;
    }
  }
}

const namedNumbers: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : undefined;
}

function fixed(value: number, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-∞' : '∞';
  const text =
    Math.abs(value) >= 1e21
      ? `${BigInt(value)}${precision > 0 ? `.${'0'.repeat(precision)}` : ''}`
      : value.toFixed(Math.min(precision, 100));
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(text)!;
  return sign + whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') + rest;
}

function scientific(value: number, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-∞' : '∞';
  const [mantissa = '', exponent = '0'] = value.toExponential(6).split('e');
  const power = Number(exponent);
  // What is asked for as a precision is taken for a width there.
  return `${mantissa}×10${superscript(`${power < 0 ? '-' : ''}${String(Math.abs(power)).padStart(2, '0')}`)}`.padStart(precision);
}

function superscript(text: string): string {
  return text.replaceAll(/[-0-9]/g, (character) => (character === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(character)]!));
}

function stringOf(value: unknown): string | Fault {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return doubleText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return listText(value);
  if (value instanceof Map) return mapText(value);
  if (value instanceof Uint) return value.value.toString();
  if (value instanceof TimestampValue) return value.toString();
  if (value instanceof DurationValue) return secondsText(value);
  if (value instanceof CelType) return value.name;
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return new Fault(`error during formatting: ${clauseFaults['s']}${valueType(value).name}`);
}

function listText(items: readonly unknown[]): string | Fault {
  const texts: string[] = [];
  for (const item of items) {
    const text = itemText(item);
    if (text instanceof Fault) return text;
    texts.push(text);
  }
  return `[${texts.join(', ')}]`;
}

function mapText(map: ReadonlyMap<unknown, unknown>): string | Fault {
  const texts: [key: string, value: string][] = [];
  for (const [key, value] of map) {
    if (typeof key !== 'string' && typeof key !== 'boolean' && wholeOf(key) === undefined)
      return new Fault(`error during formatting: no formatting function for map key of type ${valueType(key).name}`);
    const [keyText, valueText] = [itemText(key), itemText(value)];
    if (keyText instanceof Fault) return keyText;
    if (valueText instanceof Fault) return valueText;
    texts.push([keyText, valueText]);
  }
  return `{${texts
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${key}:${value}`)
    .join(', ')}}`;
}

/** Within lists and maps: texts in quotes, times with the name of their type. */
function itemText(value: unknown): string | Fault {
  meter.spend(4);
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(defaultPrecision) : quotedText(doubleText(value));
  if (value instanceof Uint8Array) return `b${quotedText(Buffer.from(value).toString())}`;
  if (value instanceof TimestampValue) return `timestamp(${quotedText(value.toString())})`;
  if (value instanceof DurationValue) return `duration(${quotedText(secondsText(value))})`;
  if (value instanceof OpaqueValue || value instanceof OptionalValue)
    return new Fault(`error during formatting: no formatting function for ${valueType(value).name}`);
  return stringOf(value);
}

/** A value as messages of faults show it. */
export function shownValue(value: unknown): string {
  const text = stringOf(value);
  return text instanceof Fault ? valueType(value).name : text;
}
