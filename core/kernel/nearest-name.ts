import {nearestName} from '../../sdk/values/nearest-name.js';

export {nearestName};

/** A list of names for a message, sorted; `none` when there are none. */
export function nameList(names: Iterable<string>): string {
  const sorted = [...names].sort();
  return sorted.length === 0 ? 'none' : sorted.join(', ');
}

/** Lists of names up to this length are given whole. */
const shortList = 12;
const mostSimilar = 6;

/** A hint after `there is no …`: the likely name, names with a common word, or all if they are few. */
export function nameHint(name: string, known: Iterable<string>): string {
  const names = [...known];
  const nearest = name.length > 2 ? nearestName(name, names) : undefined;
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  const words = new Set(wordsOf(name));
  const similar = names.filter((each) => wordsOf(each).some((word) => words.has(word))).sort();
  if (similar.length > 0 && similar.length <= mostSimilar) return `similar are ${similar.join(', ')}`;
  return names.length <= shortList ? `known are ${nameList(names)}` : `known are ${names.length} others`;
}

/** `store-memory` → `store`, `memory`; short ones say nothing. */
function wordsOf(name: string): string[] {
  return name
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
}
