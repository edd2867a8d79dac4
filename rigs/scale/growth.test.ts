import test from 'ava';
import {growthOf, growthReport, isFault} from './growth-report.js';
import {niceTop, plotSvg} from './plot.js';

test('what should stay the same and takes more is told apart from what may grow', (t) => {
  t.is(growthOf({micros: [160, 100, 150, 250]}), 2.5);
  t.true(isFault({micros: [100, 151]}));
  t.false(isFault({micros: [100, 149]}));
  t.false(isFault({micros: [100, 900], mayGrow: true}));
  const curve = {name: 'get', micros: [100, 200], p99: [1, 2.5]} as const;
  t.regex(growthReport([{name: 'objects', points: [100, 1_000], curves: [curve]}]), /^get, µs +100 +200 +2\.00 +grows$/m);
});

test('scales end at 1, 2 or 5 times a power of ten', (t) => {
  t.deepEqual([0, 0.013, 1, 1.1, 3, 49, 51, 1_000].map(niceTop), [1, 0.02, 1, 2, 5, 50, 100, 1_000]);
});

test('a plot has a line with a point for each value, within its panel', (t) => {
  const svg = plotSvg([
    {title: 'µs & more', points: ['1', '10', '100'], lines: [{name: 'get', values: [1, 2, 5]}]},
    {title: 'p99', points: ['1', '10', '100'], lines: [{name: 'get', values: [0, 0, 0]}]},
  ]);
  t.is(svg.match(/<circle/g)?.length, 6);
  t.true(svg.includes('µs &amp; more'));
  const ys = [...svg.matchAll(/ cy="([\d.]+)"/g)].map(([, y]) => Number(y));
  t.true(
    ys.every((y) => y >= 34 && y <= 184),
    ys.join(' '),
  );
  t.is(ys[2], 34, 'the largest is at the top of the scale');
});
