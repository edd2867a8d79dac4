import type {BombPlace} from './bomb-places.js';

type Json = Record<string, unknown>;

/** What stands where the value of a bomb goes, until the body is a text. */
const mark = '\u0001bomb\u0001';

/** The body of an object whose value at a place is `text` (JSON). Lists on the way to it get one item, that of the object where it has one. */
export function bombBody(object: Json, place: BombPlace, text: string): string {
  const body = structuredClone(object);
  let holder: Json | unknown[] = body;
  for (const [index, step] of place.path.entries()) {
    const key = step === '[]' ? 0 : step === '{}' ? 'key' : step;
    const members = holder as Record<string | number, unknown>;
    if (index === place.path.length - 1) members[key] = mark;
    else {
      const isList = place.path[index + 1] === '[]';
      const given = members[key];
      const fits = typeof given === 'object' && given !== null && Array.isArray(given) === isList;
      holder = (members[key] = fits ? given : isList ? [] : {}) as Json;
    }
  }
  return JSON.stringify(body).replace(JSON.stringify(mark), () => text);
}
