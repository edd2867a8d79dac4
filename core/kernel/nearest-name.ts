export {nearestName} from '../../sdk/values/nearest-name.js';

/** A list of names for a message, sorted; `none` when there are none. */
export function nameList(names: Iterable<string>): string {
  const sorted = [...names].sort();
  return sorted.length === 0 ? 'none' : sorted.join(', ');
}
