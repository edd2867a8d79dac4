const units: Readonly<Record<string, bigint>> = {ns: 1n, us: 1000n, 'µs': 1000n, ms: 1_000_000n, s: 1_000_000_000n, m: 60_000_000_000n, h: 3_600_000_000_000n};
const part = /(\d+)(?:\.(\d+))?(ns|us|µs|ms|s|m|h)/gy;

/** Nanoseconds of a duration as Go writes it (`1h2m3.5s`). @throws RangeError for other texts */
export function parseGoDuration(text: string): bigint {
  const negative = text.startsWith('-');
  const digits = negative ? text.slice(1) : text;
  if (digits === '0') return 0n;
  let nanos = 0n;
  let end = 0;
  part.lastIndex = 0;
  for (let match = part.exec(digits); match; match = part.exec(digits)) {
    const unit = units[match[3]!]!;
    nanos += BigInt(match[1]!) * unit;
    const fraction = match[2] ?? '';
    if (fraction !== '') nanos += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
    end = part.lastIndex;
  }
  if (end === 0 || end !== digits.length) throw new RangeError(`${JSON.stringify(text)} is not a duration`);
  return negative ? -nanos : nanos;
}

/** The text of a duration as Go writes it. */
export function formatGoDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const rest = nanos < 0n ? -nanos : nanos;
  if (rest < units['s']!) {
    const [name, unit] = rest < 1000n ? ['ns', 1n] : rest < 1_000_000n ? ['µs', 1000n] : ['ms', 1_000_000n];
    return `${sign}${decimal(rest, unit as bigint)}${name as string}`;
  }
  const hours = rest / units['h']!;
  const minutes = (rest % units['h']!) / units['m']!;
  const seconds = `${decimal(rest % units['m']!, units['s']!)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = value % unit;
  if (fraction === 0n) return String(value / unit);
  const digits = String(fraction).padStart(String(unit).length - 1, '0').replace(/0+$/, '');
  return `${value / unit}.${digits}`;
}
