import {createHash} from 'node:crypto';

/**
 * A number from 1 to below 2^48 that stands for a schema: the same texts give the same number, others another one (as surely as 48 bits
 * can tell).
 */
export function schemaMark(...texts: readonly string[]): number {
  const hash = createHash('sha1');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest().readUIntBE(0, 6) || 1;
}
