/** The entries of a map in order of their keys: stores list records in any order. */
export function inOrderOfKeys<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}
