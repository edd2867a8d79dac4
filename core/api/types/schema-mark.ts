import {createHash} from 'node:crypto';

/**
 * A number from 1 to below 2^48 that identifies a schema: the same texts give the same number, different texts give different ones (within
 * the certainty of 48 bits).
 */
export function schemaMark(...texts: readonly string[]): number {
  const hash = createHash('sha1');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest().readUIntBE(0, 6) || 1;
}
