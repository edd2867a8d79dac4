import {nearestName} from '../../sdk/values/nearest-name.js';

export {nearestName};

/** More names than anybody reads through. */
const mostNames = 12;

/**
 * A list of names for a message, sorted; `none` when there are none.
 *
 * @param wanted what was given in place of one of them: if there are many, the one that it most likely means stands for all
 */
export function nameList(names: Iterable<string>, wanted?: string): string {
  const sorted = [...names].sort();
  const meant = wanted === undefined || sorted.length <= mostNames ? undefined : nearestName(wanted, sorted);
  if (meant !== undefined) return `${sorted.length}; did you mean ${meant}?`;
  return sorted.length === 0 ? 'none' : sorted.join(', ');
}
