import {setMember} from './set-member.js';

/** Above this number of members V8 stores an object as a hash table, and a spread takes twice as long as setting the members one by one. */
const many = 128;

/** A shallow copy of an object, including an own member named `__proto__`. */
export function copyMembers<T extends object>(object: T): T {
  let count = 0;
  for (const _key in object) if (++count > many) return oneByOne(object);
  return {...object};
}

function oneByOne<T extends object>(object: T): T {
  const copy = {} as T;
  for (const key in object) setMember(copy, key, object[key]);
  return copy;
}
