import test from 'ava';
import type {MetricFamily, TextForm} from '../../../core/metrics/metric-family.js';
import {MetricRegistry} from '../../../core/metrics/metric-registry.js';
import {metricsText as metricsParts} from '../../../core/metrics/metrics-text.js';
import {parseMetrics, samplesOf, valueOf} from '../../helpers/metrics-text.js';
import {testTask} from '../../helpers/test-task.js';

const metricsText = async (families: Iterable<MetricFamily>, form: TextForm) =>
  Buffer.concat(await metricsParts(families, form, testTask())).toString();
const alpha = {stability: 'ALPHA'} as const;

test('counters, gauges and histograms are told in both forms, with every character of labels and help texts', async (t) => {
  const metrics = new MetricRegistry();
  const strange = 'a "quoted"\\path\nwith two lines';
  metrics
    .counter({...alpha, name: 'shop_orders_total', help: `Orders: ${strange}`, labels: ['kind']})
    .with(strange)
    .add(2);
  metrics
    .counter({...alpha, name: 'shop_returns_count', help: 'Returns.'})
    .with()
    .add(3);
  metrics
    .gauge({...alpha, name: 'shop_open', help: 'Open shops.'})
    .with()
    .set(-Infinity);
  const waits = metrics.histogram({...alpha, name: 'shop_wait_seconds', help: 'Waits.', labels: ['till'], buckets: [0.5, 1, 2]});
  for (const value of [0.5, 0.6, 2, 2.5]) waits.with('one').observe(value);

  const text = await metricsText(metrics.families, 'text');
  const scrape = parseMetrics(text);
  t.is(valueOf(scrape, 'shop_orders_total', {kind: strange}), 2);
  t.is(scrape.get('shop_orders_total')!.help, '[ALPHA] Orders: a "quoted"\\\\path\\nwith two lines');
  t.is(valueOf(scrape, 'shop_open'), -Infinity);
  t.deepEqual(
    samplesOf(scrape, 'shop_wait_seconds_bucket').map(({labels, value}) => [labels['le'], value]),
    [
      ['0.5', 1],
      ['1', 2],
      ['2', 3],
      ['+Inf', 4],
    ],
  );
  t.is(valueOf(scrape, 'shop_wait_seconds_sum'), 5.6);

  const open = parseMetrics(await metricsText(metrics.families, 'openMetrics'), 'openMetrics');
  t.is(open.get('shop_orders')!.type, 'counter');
  t.is(valueOf(open, 'shop_orders_total', {kind: strange}), 2);
  // A counter under another name keeps that name.
  t.is(open.get('shop_returns_count')!.type, 'unknown');
  t.deepEqual(
    samplesOf(open, 'shop_wait_seconds_bucket').map(({labels}) => labels['le']),
    ['0.5', '1.0', '2.0', '+Inf'],
  );
});

test('a metric that is deprecated says so in its help text', async (t) => {
  const metrics = new MetricRegistry();
  metrics.gauge({name: 'shop_old', help: 'Old.', stability: 'STABLE', since: '1.20', deprecated: {since: '1.25'}});
  t.true((await metricsText(metrics.families, 'text')).startsWith('# HELP shop_old [STABLE] (Deprecated since 1.25.0) Old.\n'));
});

test('a metric has no more series than declared: what comes later counts as other, and what was there goes on', async (t) => {
  const metrics = new MetricRegistry();
  const orders = metrics.counter({...alpha, name: 'shop_orders_total', help: 'Orders.', labels: ['a', 'b'], maximumSeries: 3});
  for (let index = 0; index < 100; index += 1) orders.with(`a${index}`, 'b'.repeat(5000)).add();
  orders.with('a1', 'b'.repeat(5000)).add();
  const samples = samplesOf(parseMetrics(await metricsText(metrics.families, 'text')), 'shop_orders_total');
  t.deepEqual(
    samples.map(({labels, value}) => [labels['a'], labels['b']!.length, value]),
    [
      ['a0', 200, 1],
      ['a1', 200, 2],
      ['a2', 200, 1],
      ['other', 5, 97],
    ],
  );
});

test('the same declaration is the same metric; another one under its name, or under a name of its samples, is refused', (t) => {
  const metrics = new MetricRegistry();
  const declaration = {...alpha, name: 'shop_wait', help: 'Waits.', labels: ['till'], buckets: [1, 2]};
  t.is(metrics.histogram(declaration), metrics.histogram({...declaration}));
  t.throws(() => metrics.histogram({...declaration, buckets: [1, 3]}), {message: /shop_wait is declared twice, and differently/});
  t.throws(() => metrics.counter({...declaration}), {message: /declared twice/});
  t.throws(() => metrics.counter({...alpha, name: 'shop_wait_count', help: 'Other.'}), {message: /names of those of shop_wait/});
  t.throws(() => metrics.counter({...alpha, name: 'process_shops', help: 'x'}), {message: /belong to the process/});
  t.throws(() => metrics.counter({...alpha, name: 'shop-orders', help: 'x'}), {message: /a letter first/});
  t.throws(() => metrics.counter({...alpha, name: 'shop', help: ' '}), {message: /help text/});
  t.throws(() => metrics.counter({...alpha, name: 'shop', help: 'x', labels: ['a', 'a']}), {message: /named twice/});
  t.throws(() => metrics.histogram({...alpha, name: 'shop', help: 'x', labels: ['le'], buckets: [1]}), {message: /"le" cannot be a label/});
  t.throws(() => metrics.histogram({...alpha, name: 'shop', help: 'x', buckets: [2, 1]}), {message: /each greater/});
  t.throws(() => metrics.counter({name: 'shop', help: 'x', stability: 'STABLE'}), {message: /since which release/});
  t.throws(() => metrics.histogram(declaration).with('a', 'b'), {message: /has the labels till, and 2 values are given/});
  t.throws(
    () =>
      metrics
        .counter({...alpha, name: 'shop_total', help: 'x'})
        .with()
        .add(-1),
    {instanceOf: RangeError},
  );
});

test('what is only known by looking is looked up before each answer; what fails or takes too long holds nobody up', async (t) => {
  const metrics = new MetricRegistry();
  const open = metrics.gauge({...alpha, name: 'shop_open', help: 'Open.', labels: ['town']});
  let town = 'one';
  metrics.collect(() => {
    open.clear();
    open.with(town).set(1);
  });
  metrics.collect(() => Promise.reject(new Error('away')));
  metrics.collect(() => {
    throw new Error('broken');
  });
  const told = async () => {
    await metrics.refresh();
    return samplesOf(parseMetrics(await metricsText(metrics.families, 'text')), 'shop_open').map(({labels}) => labels['town']);
  };
  t.deepEqual(await told(), ['one']);
  town = 'two';
  t.deepEqual(await told(), ['two']);
  metrics.collect(() => new Promise(() => undefined));
  const began = performance.now();
  t.deepEqual(await told(), ['two']);
  t.true(performance.now() - began < 5000);
});

test('numbers are written as they are, whatever their size, and a text of many parts has no seams', async (t) => {
  const metrics = new MetricRegistry();
  const numbers = [0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e21, 0.1, -1, -0.5, 1e-7];
  const gauge = metrics.gauge({...alpha, name: 'shop_numbers', help: 'Numbers.', labels: ['text'], maximumSeries: 20_000});
  for (const number of numbers) gauge.with(String(number)).set(number);
  const long = 'ü'.repeat(100);
  for (let index = 0; index < 5000; index += 1) gauge.with(`${long}${index}`).set(index);
  for (const form of ['text', 'openMetrics', 'text'] as const) {
    const parts = await metricsParts(metrics.families, form, testTask(), '');
    t.true(parts.length > 3);
    const scrape = parseMetrics(Buffer.concat(parts).toString(), form);
    for (const number of numbers) t.is(valueOf(scrape, 'shop_numbers', {text: String(number)}), number);
    const samples = samplesOf(scrape, 'shop_numbers').filter(({labels}) => labels['text']!.startsWith(long));
    t.is(samples.length, 5000);
    t.true(samples.every(({labels, value}) => labels['text'] === `${long}${value}`));
  }
});

test('the buckets of a histogram are told as they are, whenever their numbers get longer', async (t) => {
  const metrics = new MetricRegistry();
  const waits = metrics.histogram({...alpha, name: 'shop_wait', help: 'Waits.', labels: ['till'], buckets: [1, 2]});
  const [first, second] = [waits.with('first'), waits.with('second')];
  const seen = [0, 0, 0];
  for (let round = 0; round < 30; round += 1) {
    for (let times = 0; times < 2 ** (round % 12); times += 1) {
      const value = (times + round) % 3;
      first.observe(value + 0.5);
      for (let index = value; index < 3; index += 1) seen[index]! += 1;
    }
    if (round % 7 === 0) second.observe(9);
    const form = round % 5 === 4 ? 'openMetrics' : 'text';
    const scrape = parseMetrics(await metricsText(metrics.families, form), form);
    const told = samplesOf(scrape, 'shop_wait_bucket', {till: 'first'});
    t.deepEqual(
      told.map(({value}) => value),
      seen,
    );
    t.is(valueOf(scrape, 'shop_wait_count', {till: 'second'}), Math.floor(round / 7) + 1);
  }
});

test('series that are set anew between two turns of a response are told once', async (t) => {
  const metrics = new MetricRegistry();
  const stock = metrics.gauge({...alpha, name: 'shop_stock', help: 'Stock.', labels: ['item'], maximumSeries: 100_000});
  const fill = () => {
    stock.clear();
    for (let item = 0; item < 50_000; item += 1) stock.with(String(item)).set(item);
  };
  fill();
  // Written for a few milliseconds, then in later turns.
  const text = metricsText(metrics.families, 'text');
  fill();
  t.is(samplesOf(parseMetrics(await text), 'shop_stock', {}).length, 50_000);
});

test('a histogram that has not changed is told again as it was, and one that has with its new numbers', async (t) => {
  const metrics = new MetricRegistry();
  const waits = metrics.histogram({...alpha, name: 'shop_wait_seconds', help: 'Waits.', labels: ['till'], buckets: [1, 2]});
  const told = async () => parseMetrics(await metricsText(metrics.families, 'text'));
  waits.with('one').observe(1);
  waits.with('two').observe(2);
  const before = await told();
  t.deepEqual(await told(), before);
  for (let times = 0; times < 10; times += 1) waits.with('one').observe(0.5);
  const after = await told();
  t.is(valueOf(after, 'shop_wait_seconds_bucket', {till: 'one', le: '1'}), 11);
  t.is(valueOf(after, 'shop_wait_seconds_count', {till: 'one'}), 11);
  t.is(valueOf(after, 'shop_wait_seconds_sum', {till: 'one'}), 6);
  t.deepEqual(samplesOf(after, 'shop_wait_seconds_bucket', {till: 'two'}), samplesOf(before, 'shop_wait_seconds_bucket', {till: 'two'}));
});

test('text is written again only where a series has changed, and never over bytes that somebody may still be sending', async (t) => {
  const metrics = new MetricRegistry();
  const waits = metrics.histogram({...alpha, name: 'shop_wait', help: 'Waits.', labels: ['till'], buckets: [1, 2], maximumSeries: 20_000});
  const stock = metrics.gauge({...alpha, name: 'shop_stock', help: 'Stock.', labels: ['item']});
  for (let till = 0; till < 5_000; till += 1) waits.with(String(till)).observe(1);
  stock.with('gone').set(1);
  const first = await metricsParts(metrics.families, 'text', testTask(), '');
  const large = (parts: readonly Buffer[]) => parts.filter(({length}) => length > 100_000);
  t.true(large(first).length > 1);
  const before = Buffer.concat(first).toString();
  // The last series, so that its block alone is another one; and a series that is cleared and comes back, beside one that does not.
  waits.with('4999').observe(1);
  stock.clear();
  stock.with('back').set(2);
  const second = await metricsParts(metrics.families, 'text', testTask(), '');
  t.is(Buffer.concat(first).toString(), before);
  t.deepEqual(
    large(second).map((part, index) => part === large(first)[index]),
    large(first).map((_, index) => index < large(first).length - 1),
  );
  const scrape = parseMetrics(Buffer.concat(second).toString());
  t.is(valueOf(scrape, 'shop_wait_count', {till: '4999'}), 2);
  t.is(valueOf(scrape, 'shop_wait_count', {till: '4998'}), 1);
  t.deepEqual(
    samplesOf(scrape, 'shop_stock').map(({labels, value}) => [labels['item'], value]),
    [['back', 2]],
  );
  stock.clear();
  stock.with('gone').add(3);
  const third = parseMetrics(Buffer.concat(await metricsParts(metrics.families, 'text', testTask(), '')).toString());
  t.is(valueOf(third, 'shop_stock', {item: 'gone'}), 3);
});
