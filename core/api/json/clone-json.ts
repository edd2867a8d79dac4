import {copyMembers} from './copy-members.js';

/** Above this depth, recursion is safe for the call stack and several times faster than a work list. */
const recursionLimit = 512;

/**
 * A deep copy of a JSON value. Scalars, including bigints, are shared; own members named `__proto__` stay own members. Works at any depth.
 */
export function cloneJson<T>(value: T): T {
  return typeof value === 'object' && value !== null ? (clone(value, 0) as T) : value;
}

function clone(value: object, depth: number): object {
  if (depth === recursionLimit) return cloneIteratively(value);
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice();
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (typeof item === 'object' && item !== null) items[index] = clone(item, depth + 1);
    }
    return items;
  }
  // The copy has its own `__proto__` member, so assigning to it does not change the prototype.
  const copy = copyMembers(value) as Record<string, unknown>;
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === 'object' && member !== null) copy[key] = clone(member, depth + 1);
  }
  return copy;
}

function shallowCopy(value: object): Record<string, unknown> | unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice() : (copyMembers(value) as Record<string, unknown>);
}

function cloneIteratively(root: object): object {
  const result = shallowCopy(root);
  const pending = [result];
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    const members = holder as Record<string, unknown>;
    for (const key in members) {
      const member = members[key];
      if (typeof member !== 'object' || member === null) continue;
      const copy = shallowCopy(member);
      members[key] = copy;
      pending.push(copy);
    }
  }
  return result;
}
