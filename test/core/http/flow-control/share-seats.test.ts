import test from 'ava';
import {shareSeats, type SeatClaim} from '../../../../core/http/flow-control/share-seats.js';
import {random} from './random.js';

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const near = (a: number, b: number) => Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

test('seats are shared out in proportion to targets where no bound is in the way', (t) => {
  const claims = [10, 20, 30].map((target) => ({target, lowest: 0, highest: 1000}));
  t.true(shareSeats(120, claims).every((share, index) => near(share, 2 * claims[index]!.target)));
});

test('who is at a bound keeps it, and the others share the rest', (t) => {
  const shares = shareSeats(100, [
    {target: 10, lowest: 40, highest: 100},
    {target: 10, lowest: 0, highest: 5},
    {target: 10, lowest: 0, highest: 100},
    {target: 20, lowest: 0, highest: 100},
  ]);
  t.deepEqual(
    shares.map((share) => Math.round(share * 1000) / 1000),
    [40, 5, 18.333, 36.667],
  );
});

test('bounds that leave no choice are the answer', (t) => {
  t.deepEqual(shareSeats(10, [{target: 1, lowest: 20, highest: 30}]), [20]);
  t.deepEqual(shareSeats(100, [{target: 1, lowest: 20, highest: 30}]), [30]);
  t.deepEqual(shareSeats(10, []), []);
});

test('any claims get one multiple of their targets, within their bounds, and all of the seats', (t) => {
  const {seed, next} = random();
  t.log(`seed ${seed}`);
  for (let round = 0; round < 500; round += 1) {
    const claims: SeatClaim[] = Array.from({length: 1 + Math.floor(next() * 8)}, () => {
      const lowest = Math.floor(next() * 50);
      return {lowest, highest: lowest + Math.floor(next() * 100), target: lowest + next() * 100};
    });
    const least = sumOf(claims.map(({lowest}) => lowest));
    const most = sumOf(claims.map(({highest}) => highest));
    const seats = least + Math.floor(next() * (most - least + 1));
    const shares = shareSeats(seats, claims);
    t.true(near(sumOf(shares), seats), `${sumOf(shares)} of ${seats}`);
    const free = shares.flatMap((share, index) => {
      const {lowest, highest, target} = claims[index]!;
      t.true(share >= lowest - 1e-6 && share <= highest + 1e-6);
      return share > lowest + 1e-6 && share < highest - 1e-6 ? [share / target] : [];
    });
    for (const multiple of free) t.true(Math.abs(multiple - free[0]!) < 1e-4 * free[0]!, `${multiple} and ${free[0]}`);
  }
});
