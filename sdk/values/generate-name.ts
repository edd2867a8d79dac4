import {randomFillSync} from 'node:crypto';

/** No vowels and no characters that are easily confused, so that no words are formed. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maximumBaseLength = 63 - suffixLength;

/** Bytes from here on would make the first letters of the alphabet more likely than the last. */
const fairBytes = 256 - (256 % alphabet.length);

const pool = new Uint8Array(512);
let next = pool.length;

function randomCharacter(): string {
  for (;;) {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    const byte = pool[next++]!;
    if (byte < fairBytes) return alphabet[byte % alphabet.length]!;
  }
}

/** The name of an object created with `generateName`: the base, truncated to 58 characters, and five random ones. */
export function generateName(base: string): string {
  let name = base.slice(0, maximumBaseLength);
  for (let count = 0; count < suffixLength; count++) name += randomCharacter();
  return name;
}
