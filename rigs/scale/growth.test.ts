import test from 'ava';
import {growthMarkdown, growthOf, growthReport, isFault} from './growth-report.js';
import {niceTop, placesOf, plotSvg, scaleOf} from './plot.js';

test('what should stay the same and takes more is told apart from what may grow', (t) => {
  t.is(growthOf({micros: [160, 100, 150, 250]}), 2.5);
  t.true(isFault({micros: [100, 151]}));
  t.false(isFault({micros: [100, 149]}));
  t.false(isFault({micros: [100, 900], mayGrow: true}));
  const curve = {name: 'get', micros: [100, 200], p99: [1, 2.5]} as const;
  const growths = [{name: 'objects', points: [100, 1_000], curves: [curve], memory: [70.04, 1_234]}];
  t.regex(growthReport(growths), /^get, µs +100 +200 +2\.00 +grows$/m);
  t.is(
    growthMarkdown(growths).get('objects'),
    '| µs by objects | 100 | 1,000 |\n| --- | --- | --- |\n| get | 100 | 200 |\n| memory, MB | 70.0 | 1,234 |',
  );
});

test('what was not measured at a number is left out there', (t) => {
  const curve = {name: 'one more', micros: [undefined, 10, 30], p99: [undefined, undefined, undefined]};
  t.is(growthOf(curve), 3);
  const text = growthReport([{name: 'objects', points: [0, 10, 100], curves: [curve], memory: [1, 2, 3]}]);
  t.regex(text, /^one more, µs +10\.0 +30\.0 +3\.00 +grows$/m);
  t.false(text.includes('p99'));
  const svg = plotSvg([{title: 'µs', points: [0, 10, 100], lines: [{name: 'one more', values: curve.micros}]}]);
  t.is(svg.match(/<circle/g)?.length, 2);
  const lines = [
    {name: 'absent', values: curve.p99},
    {name: 'get', values: [1, 2, 3]},
  ];
  const panels = [
    {title: 'p99', points: [0, 10, 100], lines},
    {title: 'µs', points: [0, 10, 100], lines: lines.slice(1)},
  ];
  const other = plotSvg(panels);
  t.false(other.includes('absent'));
  t.is(
    new Set([...other.matchAll(/circle [^>]*fill="([^"]+)/g)].map(([, colour]) => colour)).size,
    2,
    'colours are by the place among all',
  );
});

test('numbers of times ten stand as far from each other, and none at all before them', (t) => {
  t.deepEqual(placesOf([1, 10, 100]), [0, 0.5, 1]);
  t.deepEqual(placesOf([0, 10, 1_000]), [0, 0.2, 1]);
});

test('values that differ much stand on a scale of powers of ten', (t) => {
  t.deepEqual(scaleOf([60, 300]).ticks, [0, 250, 500]);
  const {ticks, height} = scaleOf([5, 600]);
  t.deepEqual(ticks, [1, 10, 100, 1_000]);
  t.is(height(100), 2 / 3);
});

test('scales end at 1, 2 or 5 times a power of ten', (t) => {
  t.deepEqual([0, 0.013, 1, 1.1, 3, 49, 51, 1_000].map(niceTop), [1, 0.02, 1, 2, 5, 50, 100, 1_000]);
});

test('a plot has a line with a point for each value, within its panel', (t) => {
  const svg = plotSvg([
    {title: 'µs & more', points: [1, 10, 100], lines: [{name: 'get', values: [1, 2, 5]}]},
    {title: 'p99', points: [1, 10, 100], lines: [{name: 'get', values: [0, 0, 0]}]},
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
