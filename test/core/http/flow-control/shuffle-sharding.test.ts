import test from 'ava';
import {dealHand, flowHash} from '../../../../core/http/flow-control/shuffle-sharding.js';

test('every hand of different cards is dealt for as many hashes as any other', (t) => {
  for (const [deck, size] of [
    [5, 1],
    [5, 3],
    [6, 6],
    [7, 4],
  ] as const) {
    let hands = 1;
    for (let card = 0; card < size; card += 1) hands *= deck - card;
    const seen = new Set<string>();
    for (let hash = 0; hash < hands; hash += 1) {
      const hand = dealHand(BigInt(hash), deck, size);
      t.is(new Set(hand).size, size);
      t.true(hand.every((card) => card >= 0 && card < deck));
      seen.add(hand.join(' '));
    }
    t.is(seen.size, hands, `${size} of ${deck}`);
  }
});

test('a flow gets the same hand on every server, and flows of like names get others', (t) => {
  t.is(flowHash('global-default', 'alice'), flowHash('global-default', 'alice'));
  t.not(flowHash('global-default', 'alice'), flowHash('global-default', 'alicf'));
  t.not(flowHash('a', 'b\0c'), flowHash('a\0b', 'd'));
  t.true(flowHash('global-default', 'alice') < 1n << 60n);
  const hands = Array.from({length: 500}, (_, user) => dealHand(flowHash('global-default', `user-${user}`), 128, 6));
  const counts = Array.from({length: 128}, () => 0);
  for (const hand of hands) for (const card of hand) counts[card]! += 1;
  // 3,000 cards on 128 places: 23 each, with a standard deviation below 5.
  t.true(
    counts.every((count) => count > 3 && count < 50),
    counts.join(' '),
  );
});
