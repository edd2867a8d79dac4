import {createHash} from 'node:crypto';

/** Bits of the hash that are used: more would favour some of the last cards. */
const hashBits = 60n;

/** A number that is the same for a flow on every server and at all times. Flows with different texts have different numbers, as good as always. */
export function flowHash(flowSchema: string, distinguisher: string): bigint {
  const digest = createHash('sha256').update(`${flowSchema}\0${distinguisher}`).digest();
  return digest.readBigUInt64LE(0) & ((1n << hashBits) - 1n);
}

/**
 * Deals a hand of different cards from a deck numbered from 0, every hand as probable as any other. The same hash is dealt the same hand. Two flows that meet on
 * one queue rarely meet on all: so one that floods its queues leaves others a free one.
 *
 * @param hash what `flowHash` answers
 * @param handSize at most `deckSize`
 */
export function dealHand(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt += 1) {
    const left = BigInt(deckSize - dealt);
    // The place among the cards that are left; the cards already dealt that lie at or before it are stepped over, the lowest first.
    let card = Number(rest % left);
    rest /= left;
    for (const taken of hand.toSorted((a, b) => a - b)) if (card >= taken) card += 1;
    hand.push(card);
  }
  return hand;
}
