import {badRequest} from '../../sdk/index.js';

/** Characters of a parameter that a message shows. */
const longestShown = 64;

/**
 * An integer of 64 bits in a query; undefined without it.
 *
 * @throws 400 in the words of Go, whose parser Kubernetes uses
 */
export function queryInteger(query: {get(name: string): string | null}, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const isNumber = /^[+-]?\d+$/.test(text);
  if (isNumber && text.length <= longestShown) {
    const value = BigInt(text.replace('+', ''));
    if (BigInt.asIntN(64, value) === value) return value;
  }
  const shown = JSON.stringify(text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);
  throw badRequest(`strconv.ParseInt: parsing ${shown}: ${isNumber ? 'value out of range' : 'invalid syntax'}`);
}
