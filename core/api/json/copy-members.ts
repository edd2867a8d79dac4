import {setMember} from './set-member.js';

/** Beyond so many members V8 keeps an object as a hash table, of which a spread takes twice as long as setting one member after the other. */
const many = 128;

/** A copy of an object with the same members, `__proto__` among them where it is an own one. The members themselves are shared. */
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
