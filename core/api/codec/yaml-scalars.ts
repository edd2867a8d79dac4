/**
 * The meaning of plain YAML words, as Kubernetes reads them (YAML 1.1 with Go's number syntax): `yes` and `off` are booleans, `0644` is
 * octal, timestamps remain strings.
 */

const constants = new Map<string, boolean | null>();
for (const [value, words] of [
  [null, ['', '~', 'null', 'Null', 'NULL']],
  [true, ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']],
  [false, ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']],
] as const) {
  for (const word of words) constants.set(word, value);
}

const integerPattern = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9][0-9]*)$/;
const floatPattern = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const notFinitePattern = /^(?:\.nan|\.NaN|\.NAN|[-+]?\.(?:inf|Inf|INF))$/;

/** Long enough for any integer in the range of a double; a longer run of digits becomes the nearest double. */
const maximumIntegerLength = 400;

/** A plain word for a number that JSON cannot represent. */
export const notANumber = Symbol('not a number');

/** The value of a plain scalar; `notANumber` for infinities and NaN. */
export function plainScalar(text: string): string | number | bigint | boolean | null | typeof notANumber {
  const constant = constants.get(text);
  if (constant !== undefined) return constant;
  if (!/^[-+.0-9]/.test(text)) return text;
  if (notFinitePattern.test(text)) return notANumber;
  return yamlInteger(text) ?? yamlFloat(text) ?? text;
}

/** A string as an integer; undefined if it is not one. */
export function yamlInteger(text: string): number | bigint | undefined {
  const digits = text.replaceAll('_', '');
  if (digits.length > maximumIntegerLength || !/^[-+]?[0-9]/.test(text) || !integerPattern.test(digits)) return undefined;
  const negative = digits.startsWith('-');
  const magnitude = digits.replace(/^[-+]/, '');
  // Only a leading zero means octal.
  const value = BigInt(/^0[0-7]+$/.test(magnitude) ? `0o${magnitude.slice(1)}` : magnitude.toLowerCase());
  const signed = negative ? -value : value;
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number + 0 : signed;
}

/** A string as a finite number; undefined if it is not one. */
export function yamlFloat(text: string): number | undefined {
  const digits = text.replaceAll('_', '');
  if (!floatPattern.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isFinite(value) ? value : undefined;
}

/** A string as a boolean; undefined if it is not one. */
export function yamlBoolean(text: string): boolean | undefined {
  return constants.get(text) ?? undefined;
}
