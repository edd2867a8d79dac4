const grammar = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** Powers of ten of the decimal suffixes. */
const decimalUnits: Readonly<Record<string, number>> = {n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18};
const decimalSuffixes = Object.keys(decimalUnits);
const highest = 2n ** 63n - 1n;
const nano = 1_000_000_000n;
const nanoPerMilli = 1_000_000n;
/** Quantities without digits finer than thousandths. */
const coarse = /^[+-]?\d+(?:[KMGTPE]i|[mkMGTPE]|[eE]\+?\d+)?$/;
/** Computed once: powers of large integers are slow, and objects may have thousands of quantities. */
const powersOfTen = Array.from({length: 61}, (_, power) => 10n ** BigInt(power));
const powersOf1024 = Array.from({length: 7}, (_, power) => 1024n ** BigInt(power));
/** Digits of the highest number of units. */
const highestDigits = 19;
/** Longer strings are rejected: their digits would only cost time. */
const maximumLength = 1000;

/** The kind of suffix with which a quantity is written: `k`, `Ki` or `e3`. */
export type QuantityFamily = 'decimal' | 'binary' | 'exponent';

/** An exact amount. */
export interface Quantity {
  /** In billionths of the unit; within ±(2⁶³ − 1) units. */
  readonly amount: bigint;
  readonly family: QuantityFamily;
}

/** Parses a quantity (`500m`, `1.5`, `2Gi`, `1e3`); digits finer than billionths are rounded away from zero. Undefined if it is invalid. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = text.length > maximumLength ? null : grammar.exec(text);
  if (!match) return undefined;
  const [, sign = '', digits = '', suffix = ''] = match as unknown as string[];
  const binary = binaryUnits.indexOf(suffix);
  // Of the suffixes, exponents alone end with a digit.
  const isExponent = suffix !== '' && suffix.at(-1)! <= '9';
  const family: QuantityFamily = binary > 0 ? 'binary' : isExponent ? 'exponent' : 'decimal';
  const power = isExponent ? Number(suffix.slice(1)) : binary > 0 ? 0 : (decimalUnits[suffix] ?? 0);
  const size = capped(inNano(digits, power, Math.max(binary, 0)));
  return {amount: sign === '-' ? -size : size, family};
}

/**
 * Writes a quantity as Kubernetes does: without a fraction, with the largest suffix of its family that keeps it an integer. An amount
 * beyond the range of a quantity becomes the highest one.
 */
export function formatQuantity({amount, family}: Quantity): string {
  const size = capped(amount < 0n ? -amount : amount);
  if (size === 0n) return '0';
  const body =
    family === 'binary' && size % nano === 0n && size >= 1024n * nano ? binaryText(size / nano) : decimalText(size, family === 'exponent');
  return (amount < 0n ? '-' : '') + body;
}

/** A quantity in normal form. Undefined if it is invalid. */
export function normalQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  return quantity && formatQuantity(quantity);
}

/** The amount of a quantity in billionths; 0 if it is missing or invalid. */
export function quantityAmount(text: unknown): bigint {
  return (typeof text === 'string' ? parseQuantity(text)?.amount : undefined) ?? 0n;
}

/** Negative, 0 or positive if `left` is less than, equal to or greater than `right`; anything other than a quantity counts as 0. */
export function compareQuantities(left: unknown, right: unknown): number {
  const difference = quantityAmount(left) - quantityAmount(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum of two quantities, written in the family of the first that is not 0. */
export function addQuantities(left: string, right: string): string {
  return combined(left, right, 1n);
}

/** The difference of two quantities, written in the family of the first that is not 0. */
export function subtractQuantities(left: string, right: string): string {
  return combined(left, right, -1n);
}

function combined(left: string, right: string, factor: bigint): string {
  const first = parseQuantity(left);
  const second = parseQuantity(right);
  const family = (first && first.amount !== 0n ? first.family : second?.family) ?? 'decimal';
  return formatQuantity({amount: (first?.amount ?? 0n) + factor * (second?.amount ?? 0n), family});
}

/** Whether a quantity has no fraction. */
export function isWholeQuantity(text: unknown): boolean {
  return quantityAmount(text) % nano === 0n;
}

/** A quantity in normal form, rounded away from zero to thousandths, the finest precision in which amounts of resources are stored. */
export function roundToMilli(text: string): string {
  if (coarse.test(text)) return text;
  const quantity = parseQuantity(text);
  if (!quantity) return text;
  const {amount, family} = quantity;
  const rest = amount % nanoPerMilli;
  if (rest === 0n) return text;
  return formatQuantity({amount: amount - rest + (amount < 0n ? -nanoPerMilli : nanoPerMilli), family});
}

function capped(size: bigint): bigint {
  return size > highest * nano ? highest * nano : size;
}

/** The amount in billionths, rounded up. */
function inNano(digits: string, power: number, binary: number): bigint {
  const point = digits.indexOf('.');
  const places = point < 0 ? 0 : digits.length - point - 1;
  const significant = (point < 0 ? digits : digits.slice(0, point) + digits.slice(point + 1)).replace(/^0+/, '');
  if (significant === '') return 0n;
  // Outside these bounds the result is the cap or the smallest amount, so nothing large is computed.
  if (significant.length - places + power > highestDigits) return highest * nano + 1n;
  const exponent = power - places + 9;
  if (binary === 0 && -exponent > significant.length) return 1n;
  const coefficient = BigInt(significant) * powersOf1024[binary]!;
  if (exponent >= 0) return coefficient * powersOfTen[exponent]!;
  const divisor = powersOfTen[-exponent] ?? 10n ** BigInt(-exponent);
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
  const digits = amount.toString();
  let end = digits.length;
  let power = -9;
  while (power < 18 && digits.endsWith('000', end)) {
    end -= 3;
    power += 3;
  }
  const text = digits.slice(0, end);
  if (asExponent) return power === 0 ? text : `${text}e${power}`;
  return text + decimalSuffixes[(power + 9) / 3]!;
}
