import test from 'ava';
import {Random} from '../../test/helpers/random.js';
import {memoryVerdict, type MemorySample} from './soak-memory.js';

/** Samples of every minute: `rate` actions in each, and memory for those of the last five minutes. */
function samplesOf(rate: (minute: number) => number, leak: (minute: number) => number): MemorySample[] {
  const random = new Random(20_261_122);
  const rates = Array.from({length: 30}, (_, index) => rate(index));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return rates.map((_, index) => {
    const recent = sum(rates.slice(Math.max(0, index - 4), index + 1));
    const held = 60 + recent / 400 + leak(index + 1) + random.below(100) / 50;
    return {minutes: index + 1, pid: 1, held, resident: 0, objects: 300, actions: sum(rates.slice(0, index + 1))};
  });
}

const uneven = (minute: number): number => (minute < 18 ? 4000 : 10_000) + ((minute * 7919) % 1500);

test('memory that follows the rate of actions is flat, though it is higher in the end', (t) => {
  const verdict = memoryVerdict(samplesOf(uneven, () => 0));
  t.true(verdict.isFlat, JSON.stringify(verdict));
  t.true(verdict.plainSlope > 100, 'time alone would say that it grows');
  t.true(Math.abs(verdict.perThousandActions - 2.5) < 0.2, String(verdict.perThousandActions));
});

test('memory that grows is not flat, whatever the rate of actions', (t) => {
  for (const rate of [uneven, () => 6000, (minute: number) => uneven(30 - minute)]) {
    const verdict = memoryVerdict(samplesOf(rate, (minute) => minute));
    t.false(verdict.isFlat, JSON.stringify(verdict));
    t.true(Math.abs(verdict.slope - 60) < verdict.error + 5, String(verdict.slope));
  }
});

test('it cannot be told where samples are few or the rate of actions moves with time', (t) => {
  t.is(memoryVerdict(samplesOf(uneven, () => 0).slice(0, 12)).isFlat, undefined);
  const steady = memoryVerdict(
    samplesOf(
      (minute) => 1000 + 100 * minute,
      () => 0,
    ),
  );
  t.is(steady.isFlat, undefined, JSON.stringify(steady));
  t.is(memoryVerdict([]).isFlat, undefined);
});
