import {createHash} from 'node:crypto';

/** Bits of the hash that are used; with more, some of the last cards would be favoured. */
const hashBits = 60n;

/** A hash of a flow that is the same on every server and at all times. Collisions are negligible. */
export function flowHash(flowSchema: string, distinguisher: string): bigint {
  const digest = createHash('sha256').update(`${flowSchema}\0${distinguisher}`).digest();
  return digest.readBigUInt64LE(0) & ((1n << hashBits) - 1n);
}

/**
 * Deals a hand of distinct cards from a deck numbered from 0, uniformly and determined by the hash. Two flows that share one queue rarely share all, so a flow
 * that floods its queues leaves a free one to others.
 *
 * @param hash from `flowHash`
 * @param handSize at most `deckSize`
 */
export function dealHand(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt += 1) {
    const left = BigInt(deckSize - dealt);
    // An index into the remaining cards: step over the dealt cards at or before it, lowest first.
    let card = Number(rest % left);
    rest /= left;
    for (const taken of hand.toSorted((a, b) => a - b)) if (card >= taken) card += 1;
    hand.push(card);
  }
  return hand;
}
