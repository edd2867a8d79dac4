import type {Random} from '../../../test/helpers/random.js';

/** Bytes with a few of them changed, lost or doubled. */
export function damage(random: Random, bytes: Buffer): Buffer {
  const result = Buffer.from(bytes);
  for (let change = random.below(4); change > 0 && result.length > 0; change--) result[random.below(result.length)] = random.below(256);
  const cut = random.below(result.length + 1);
  return random.pick([
    () => result,
    () => result.subarray(0, cut),
    () => Buffer.concat([result.subarray(0, cut), random.bytes(8), result.subarray(cut)]),
    () => Buffer.concat([result, result.subarray(cut)]),
    () => Buffer.concat([result.subarray(0, cut), result.subarray(random.below(cut + 1))]),
    () => random.bytes(200),
  ])();
}
