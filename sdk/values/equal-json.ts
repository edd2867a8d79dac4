/** Above this depth, recursion is safe for the call stack and faster than a work list. */
const recursionLimit = 512;

/**
 * Whether two JSON values are equal. The order of members is irrelevant, the order of items is not. Undefined members count as absent.
 * Numbers compare by value, so that `1` equals `1n`. Works at any depth.
 */
export function equalJson(a: unknown, b: unknown): boolean {
  return equal(a, b, 0);
}

function equal(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return equalScalars(a, b);
  return depth === recursionLimit ? equalIteratively(a, b) : equalMembers(a, b, depth + 1, undefined);
}

function equalScalars(a: unknown, b: unknown): boolean {
  if (typeof a === 'bigint' && typeof b === 'number') return equalIntegers(a, b);
  if (typeof a === 'number' && typeof b === 'bigint') return equalIntegers(b, a);
  return a === b;
}

function equalIntegers(a: bigint, b: number): boolean {
  return Number.isInteger(b) && BigInt(b) === a;
}

function equalIteratively(a: object, b: object): boolean {
  const pending: unknown[] = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
      if (!equalScalars(left, right)) return false;
    } else if (!equalMembers(left, right, 0, pending)) {
      return false;
    }
  }
  return true;
}

/** Compares the content of two containers, or defers it to `pending` if given. */
function equalMembers(a: object, b: object, depth: number, pending: unknown[] | undefined): boolean {
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (pending !== undefined) pending.push(a[index], b[index]);
      else if (!equal(a[index], b[index], depth)) return false;
    }
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let surplus = 0;
  for (const key in right) if (right[key] !== undefined) surplus++;
  for (const key in left) {
    const member = left[key];
    if (member === undefined) continue;
    if (!Object.hasOwn(right, key) || right[key] === undefined) return false;
    if (pending !== undefined) pending.push(member, right[key]);
    else if (!equal(member, right[key], depth)) return false;
    surplus--;
  }
  return surplus === 0;
}
