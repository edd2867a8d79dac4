/** A clause of a format: `%.2f`. */
export interface Clause {
  readonly letter: string;
  readonly precision: number | undefined;
}

/** What is said of a value that a clause does not take, before its type. */
export const clauseFaults: Readonly<Record<string, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ',
  d: 'decimal clause can only be used on integers, was given ',
  f: 'fixed-point clause can only be used on doubles, was given ',
  e: 'scientific clause can only be used on doubles, was given ',
  b: 'only integers and bools can be formatted as binary, was given ',
  x: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
  X: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
  o: 'octal clause can only be used on integers, was given ',
};

type Written = {readonly text: string} | {readonly fault: string};

/**
 * Goes over a format and puts together what its clauses become.
 *
 * @param write gives the text of a clause for the argument with this number
 * @param isLenient whether a clause is read before it is asked whether there is an argument
 * @returns the text and how many arguments it took, or what is wrong with the format
 */
export function readFormat(
  format: string,
  count: number,
  write: (clause: Clause, at: number) => Written,
  isLenient = false,
): {readonly text: string; readonly taken: number} | {readonly fault: string; readonly taken: number} {
  const parts: string[] = [];
  let taken = 0;
  const failed = (fault: string) => ({fault, taken});
  for (let at = 0; at < format.length;) {
    const next = format.indexOf('%', at);
    parts.push(format.slice(at, next < 0 ? undefined : next));
    if (next < 0) break;
    if (format[next + 1] === '%') {
      parts.push('%');
      at = next + 2;
      continue;
    }
    if (taken >= count && !isLenient) return failed(`index ${taken} out of range`);
    if (next + 1 >= format.length) return failed('unexpected end of string');
    if (taken >= count) return failed(`index ${taken} out of range`);
    const [whole, digits] = /^%(?:\.(\d*))?/.exec(format.slice(next, next + 40))!;
    const letter = format[next + whole.length];
    const before = 'could not parse formatting clause: ';
    if (digits !== undefined && letter === undefined)
      return failed(`${before}error while parsing precision: could not find end of precision specifier`);
    if (digits === '')
      return failed(
        `${before}error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`,
      );
    if (letter === undefined || !Object.hasOwn(clauseFaults, letter)) return failed(`${before}unrecognized formatting clause "${letter}"`);
    const written = write({letter, precision: digits === undefined ? undefined : Number(digits)}, taken);
    taken += 1;
    if ('fault' in written) return failed(written.fault);
    parts.push(written.text);
    at = next + whole.length + 1;
  }
  return {text: parts.join(''), taken};
}
