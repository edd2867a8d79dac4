/**
 * About as many characters as a value has in JSON. Stops counting soon after `enough` is passed, so that huge values cost no more
 * than that. Works at any depth.
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
      size += 2 + next.length;
      for (const item of next) pending.push(item);
    } else {
      size += 2;
      for (const key in next) {
        size += key.length + 4;
        pending.push((next as Record<string, unknown>)[key]);
      }
    }
  }
  return size;
}
