import test from 'ava';
import {parseUsage, usageAt} from '../../../../plugins/controllers/simulated-nodes/usage/usage-formula.js';

const whole = 1_000_000_000n;
const minute = 60_000;

function at(text: string, since: number, now = since): number {
  return Number(usageAt(parseUsage(text)!, {since, now, whole, seed: 'pod main cpu'})) / 1e6;
}

test('a usage is an amount, or a percentage of what is asked for', (t) => {
  t.is(at('250m', 0), 250);
  t.is(at('2', 0), 2000);
  t.is(at('50%', 0), 500);
  t.is(at('12.5%', 0), 125);
});

test('what varies stays within its bounds, and is the same at the same time', (t) => {
  const values = Array.from({length: 40}, (_, index) => at('100m+50m', 0, index * 15_000));
  t.true(values.every((value) => value >= 100 && value <= 150));
  t.true(new Set(values).size > 10);
  t.is(at('100m+50m', 0, 15_000), at('100m+50m', 0, 29_999));
});

test('of a series each value holds from its time on, and the series may begin again', (t) => {
  const series = '0s=100m,5m=50%,20m=0';
  t.deepEqual(
    [0, 5 * minute - 1, 5 * minute, 19 * minute, 20 * minute, 90 * minute].map((since) => at(series, since)),
    [100, 100, 500, 500, 0, 0],
  );
  t.is(at(`${series},every=30m`, 36 * minute), 500);
  t.is(at('1m=100m', 0), 0);
});

test('a usage may be that of all pods together', (t) => {
  t.true(parseUsage('shared 2')!.isShared);
  t.false(parseUsage('2')!.isShared);
  t.is(at('shared 0s=1,1m=2', minute), 2000);
});

test('a text that is no usage is none', (t) => {
  const texts = [
    '',
    'much',
    '-1',
    '5m=1,5m=2',
    '5m=1,1m=2',
    '0s=1,2',
    '1+',
    '1,every=0s',
    'every=5m',
    '1%%',
    `${'0s=1,'.repeat(2000)}1h=1`,
  ];
  for (const text of texts) t.is(parseUsage(text), undefined, text);
});
