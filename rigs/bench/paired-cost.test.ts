import test from 'ava';
import {overPairs, pairedCost, type PairedCost} from './paired-cost.js';

test('a cost in pairs is the middle of its blocks, whatever both sides have in common', async (t) => {
  let noise = 1;
  const cost = await pairedCost(10, 2, (side) => {
    noise += 1;
    return Promise.resolve(side === 0 ? 2 * noise : noise);
  });
  t.true(cost.ratio > 1.9 && cost.ratio < 2.1, `${cost.ratio}`);
  t.true(cost.from <= cost.ratio && cost.ratio <= cost.to);
  t.is(cost.blocks, 10);
});

test('a cost over pairs of servers is as uncertain as they differ', (t) => {
  const pair = (ratio: number): PairedCost => ({one: ratio, other: 1, ratio, from: ratio - 0.001, to: ratio + 0.001, blocks: 16});
  const cost = overPairs([0.96, 1.03, 1, 1.01, 0.99, 1.02].map(pair));
  t.like(cost, {from: 0.96, to: 1.03, ratio: 1, other: 1, blocks: 96});
});
