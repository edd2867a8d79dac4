/**
 * The number of characters of a value's JSON, apart from escaping. Stops counting soon after `enough` is exceeded, so that huge values cost
 * no more than that. Works at any depth.
 */
export function jsonSize(value: unknown, enough: number): number {
  // The brackets of a list or object count when it is found, so that a long list of them ends the count early.
  const pending: object[] = [];
  let size = ownSize(value, pending);
  for (let next = pending.pop(); next !== undefined && size <= enough; next = pending.pop()) {
    // A comma before every member or item except the first.
    let commas = -1;
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length && size <= enough; index++) size += ownSize(next[index], pending);
      commas += next.length;
    } else {
      for (const key in next) {
        const member = (next as Record<string, unknown>)[key];
        if (member === undefined) continue;
        commas += 1;
        size += key.length + 3 + ownSize(member, pending);
        if (size > enough) return size;
      }
    }
    if (commas > 0) size += commas;
  }
  return size;
}

/** The size of a value without what is in it, which becomes pending. */
function ownSize(value: unknown, pending: object[]): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  pending.push(value);
  return 2;
}

/** The number of values in a value, itself included. Stops counting soon after `enough` is exceeded. Works at any depth. */
export function countValues(value: unknown, enough: number): number {
  const pending: unknown[] = [value];
  let count = 1;
  const add = (member: unknown) => {
    if (member === undefined) return;
    count += 1;
    if (typeof member === 'object' && member !== null) pending.push(member);
  };
  for (let next = pending.pop(); next !== undefined && count <= enough; next = pending.pop()) {
    // `for … in` would make a text of each index.
    if (Array.isArray(next)) next.forEach(add);
    else for (const key in next as object) add((next as Record<string, unknown>)[key]);
  }
  return count;
}
