const grammar = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** Powers of ten of the decimal suffixes. */
const decimalUnits: Readonly<Record<string, number>> = {n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18};
const highest = 2n ** 63n - 1n;
const nano = 1_000_000_000n;
/** Longer texts are refused: their digits would only cost time. */
const maximumLength = 1000;

type Family = 'decimal' | 'binary' | 'exponent';

/**
 * A quantity (`500m`, `1.5`, `2Gi`, `1e3`) as Kubernetes writes it: without fraction digits, with the largest suffix of the same
 * family that keeps an integer, at most nine decimal places (rounded away from zero), within the range of an int64.
 * Undefined when the text is no quantity.
 */
export function normalQuantity(text: string): string | undefined {
  const match = text.length > maximumLength ? null : grammar.exec(text);
  if (!match) return undefined;
  const [, sign = '', digits = '', suffix = ''] = match as unknown as string[];
  const binary = binaryUnits.indexOf(suffix);
  const isExponent = /^[eE][+-]?\d/.test(suffix);
  const family: Family = binary > 0 ? 'binary' : isExponent ? 'exponent' : 'decimal';
  const power = isExponent ? Number(suffix.slice(1)) : binary > 0 ? 0 : (decimalUnits[suffix] ?? 0);
  const amount = inNano(digits, power, binary > 0 ? 1024n ** BigInt(binary) : 1n);
  const capped = amount > highest * nano ? highest * nano : amount;
  if (capped === 0n) return '0';
  const body = family === 'binary' && capped % nano === 0n && capped >= 1024n * nano ? binaryText(capped / nano) : decimalText(capped, family === 'exponent');
  return (sign === '-' ? '-' : '') + body;
}

/** The amount in billionths, rounded up. */
function inNano(digits: string, power: number, factor: bigint): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  const coefficient = BigInt(whole + fraction || '0') * factor;
  if (coefficient === 0n) return 0n;
  const exponent = power - fraction.length + 9;
  // Beyond these powers the result is the cap or the smallest amount whatever the digits are; the powers are not computed.
  if (exponent > 60) return highest * nano + 1n;
  if (exponent >= 0) return coefficient * 10n ** BigInt(exponent);
  if (-exponent > coefficient.toString().length) return 1n;
  const divisor = 10n ** BigInt(-exponent);
  return (coefficient + divisor - 1n) / divisor;
}

function binaryText(value: bigint): string {
  let unit = 0;
  while (unit < 6 && value % 1024n === 0n) {
    value /= 1024n;
    unit++;
  }
  return `${value}${binaryUnits[unit]}`;
}

function decimalText(amount: bigint, asExponent: boolean): string {
  let power = -9;
  while (power < 18 && amount % 1000n === 0n) {
    amount /= 1000n;
    power += 3;
  }
  if (asExponent) return power === 0 ? `${amount}` : `${amount}e${power}`;
  const suffix = Object.keys(decimalUnits).find((unit) => decimalUnits[unit] === power) ?? '';
  return `${amount}${suffix}`;
}
