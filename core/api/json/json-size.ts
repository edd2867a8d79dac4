/**
 * The number of characters of a value's JSON, apart from escaping. Stops counting soon after `enough` is exceeded, so that huge values cost
 * no more than that. Works at any depth.
 */
export function jsonSize(value: unknown, enough: number): number {
  let size = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && size <= enough) {
    const next = pending.pop();
    if (typeof next === 'string') {
      size += next.length + 2;
    } else if (typeof next !== 'object' || next === null) {
      size += String(next).length;
    } else if (Array.isArray(next)) {
      // Brackets, and a comma before every item except the first.
      size += Math.max(2, next.length + 1);
      // Every pending value has at least one character.
      if (size + pending.length + next.length > enough) return size + pending.length + next.length;
      for (const item of next) pending.push(item);
    } else {
      let members = 0;
      for (const key in next) {
        const member = (next as Record<string, unknown>)[key];
        if (member === undefined) continue;
        members += 1;
        size += key.length + 3;
        pending.push(member);
        if (size > enough) return size;
      }
      size += Math.max(2, members + 1);
    }
  }
  return size;
}
