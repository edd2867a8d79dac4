import {messageLimits} from './message-limits.js';

const longest = messageLimits.value;

/**
 * A value for error messages: strings quoted, everything else as JSON, truncated after about so many characters as `messageLimits` says. However large the value is,
 * only the part that is shown is read.
 *
 * @param inOrder whether members are in the order of their names, as Go has those of maps
 */
export function shownValue(value: unknown, inOrder = false): string {
  if (value === undefined) return 'null';
  if ((typeof value === 'number' || typeof value === 'bigint') && !isInt64(value)) return floatText(Number(value));
  const writer = new ShortWriter(inOrder);
  writer.write(value, 0);
  return writer.text;
}

function isInt64(value: number | bigint): boolean {
  return (typeof value === 'bigint' || Number.isInteger(value)) && value < 2 ** 63 && value >= -(2 ** 63);
}

/** A number as Go prints it: in the form `1.5e+06` from a million on, and below a ten thousandth. */
function floatText(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string?];
  const power = Number(exponent);
  if (exponent === undefined || (power >= -4 && power < 6)) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

class ShortWriter {
  text = '';
  readonly #inOrder: boolean;

  constructor(inOrder: boolean) {
    this.#inOrder = inOrder;
  }

  write(value: unknown, depth: number): void {
    if (typeof value === 'string') this.text += quoted(value.length > longest ? `${value.slice(0, longest)}…` : value, depth > 0);
    else if (typeof value !== 'object' || value === null) this.text += typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
    else if (depth > 100) this.text += '…';
    else if (Array.isArray(value)) this.#list(value, depth);
    else this.#object(value as Record<string, unknown>, depth);
  }

  #list(list: readonly unknown[], depth: number): void {
    this.text += '[';
    for (const [index, item] of list.entries()) {
      if (index > 0) this.text += ',';
      if (this.#isLong()) break;
      this.write(item ?? null, depth + 1);
    }
    this.text += ']';
  }

  #object(object: Record<string, unknown>, depth: number): void {
    this.text += '{';
    let isFirst = true;
    for (const name of this.#inOrder ? Object.keys(object).sort() : Object.keys(object)) {
      if (object[name] === undefined) continue;
      if (!isFirst) this.text += ',';
      isFirst = false;
      if (this.#isLong()) break;
      this.write(name, depth + 1);
      this.text += ':';
      this.write(object[name], depth + 1);
    }
    this.text += '}';
  }

  #isLong(): boolean {
    if (this.text.length <= longest) return false;
    this.text += '…';
    return true;
  }
}

/** Within lists and objects some characters are escaped that need not be, as Go does. */
function quoted(text: string, isWithin: boolean): string {
  const json = JSON.stringify(text);
  return isWithin && /[<>&\u2028\u2029]/.test(json)
    ? json.replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;
}
