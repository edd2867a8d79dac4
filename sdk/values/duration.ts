const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const step = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
const highest = 2n ** 63n - 1n;
/** In characters; real durations have a few dozen. */
const longestText = 1000;

/** Nanoseconds of a duration such as `1h2m3.5s` (Go's syntax); undefined if it is invalid or too large. */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > longestText) return undefined;
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  if (unsigned === '0') return 0n;
  if (unsigned === '') return undefined;
  let total = 0n;
  step.lastIndex = 0;
  while (step.lastIndex < unsigned.length) {
    const match = step.exec(unsigned);
    if (!match) return undefined;
    const [whole = '', fraction = ''] = (match[1] as string).split('.');
    const unit = unitNanoseconds[match[2] as string] as bigint;
    const digits = fraction.slice(0, 18);
    total += BigInt(whole || '0') * unit + (digits === '' ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length));
    if (total > highest) return undefined;
  }
  return text.startsWith('-') ? -total : total;
}

/** Why a text is no duration, in the words of Go, by which clients recognise it. */
export function durationProblem(text: string): string {
  const shown = quoted(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
  const steps = text.slice(0, longestText).replace(/^[+-]/, '');
  for (const [, number = '', unit = ''] of steps.matchAll(/(\d*(?:\.\d*)?)([^\d.]*)/g)) {
    if (number === '' || number === '.') break;
    if (unit === '') return `time: missing unit in duration ${shown}`;
    if (!Object.hasOwn(unitNanoseconds, unit)) return `time: unknown unit ${quoted(unit)} in duration ${shown}`;
  }
  return `time: invalid duration ${shown}`;
}

/** A duration as Go writes it: `1m30s`, `500ms`, `0s`. */
export function durationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 0n) return `-${durationText(-nanoseconds)}`;
  const inUnit = (size: bigint) => {
    const fraction = (nanoseconds % size)
      .toString()
      .padStart(size.toString().length - 1, '0')
      .replace(/0+$/, '');
    return `${nanoseconds / size}${fraction === '' || size === 1n ? '' : `.${fraction}`}`;
  };
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${inUnit(1_000n)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${inUnit(1_000_000n)}ms`;
  const hours = nanoseconds / 3_600_000_000_000n;
  const minutes = (nanoseconds / 60_000_000_000n) % 60n;
  const rest = durationSeconds(nanoseconds % 60_000_000_000n);
  return `${hours > 0n ? `${hours}h` : ''}${hours > 0n || minutes > 0n ? `${minutes}m` : ''}${rest}s`;
}

function durationSeconds(nanoseconds: bigint): string {
  const fraction = (nanoseconds % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nanoseconds / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Bytes other than printable ones of ASCII are escaped. */
function quoted(text: string): string {
  const shown = Array.from(Buffer.from(text), (byte) => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    const character = String.fromCharCode(byte);
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${shown.join('')}"`;
}

/** Milliseconds of an unsigned duration, as in flags (`2m`, `1h30m`, `500ms`, `0`); undefined for other strings. */
export function durationMillis(text: string): number | undefined {
  const nanoseconds = /^[+-]/.test(text) ? undefined : parseDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

/** The duration as Kubernetes writes it: `1h0m0s`, `1.5s`, `200ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value === 0n) return '0s';
  if (value < 1_000_000_000n) {
    const [unit, size] =
      value < 1_000n ? (['ns', 1n] as const) : value < 1_000_000n ? (['µs', 1_000n] as const) : (['ms', 1_000_000n] as const);
    return sign + decimal(value, size) + unit;
  }
  const minutes = value / 60_000_000_000n;
  const seconds = `${decimal(value % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** The duration in normal form; undefined if it is invalid. */
export function normalDuration(text: string): string | undefined {
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? undefined : formatDuration(nanoseconds);
}

function decimal(value: bigint, unit: bigint): string {
  const digits = unit.toString().length - 1;
  const fraction = digits === 0 ? '' : (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}
