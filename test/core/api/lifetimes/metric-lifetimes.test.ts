import test from 'ava';
import {metricLifetimeFaults, type MetricWithLifetime} from '../../../../core/api/lifetimes/metric-lifetime-faults.js';
import {declaredMetrics} from '../../../../core/lifetimes/declared-metrics.js';
import {removedMetrics} from '../../../../core/lifetimes/removed-metrics.js';

const stable = (since: string, deprecated?: string, removal?: string): MetricWithLifetime => ({
  name: 'shop_orders_total',
  stability: 'STABLE',
  since,
  ...(deprecated === undefined ? {} : {deprecated: {since: deprecated, ...(removal === undefined ? {} : {removal})}}),
});
const gone = (metric: MetricWithLifetime, release = '1.34') => metricLifetimeFaults([], [metric], release).map(({rule}) => rule);
const present = (metric: MetricWithLifetime, release = '1.26') => metricLifetimeFaults([metric], [], release).map(({rule}) => rule);

test('[B-DEPR-13] the check refuses the removal of a stable metric before 3 releases or 9 months have passed since it was deprecated', (t) => {
  t.deepEqual(gone(stable('1.16', '1.22', '1.25')), []);
  t.deepEqual(gone(stable('1.16', '1.22', '1.24')), ['removed-early']);
  // Three releases of 1.12 took nine months, but those of 1.18 and 1.19 came five months apart: the longer counts.
  t.deepEqual(gone(stable('1.2', '1.12', '1.15')), []);
  t.deepEqual(gone(stable('1.2', '1.12', '1.14')), ['removed-early']);
  t.deepEqual(present(stable('1.16', '1.26', '1.28')), ['removed-early']);
  t.deepEqual(present(stable('1.16', '1.26', '1.29')), []);
});

test('[B-DEPR-13] the check refuses the removal of a metric that was stable for less than 4 releases or 12 months', (t) => {
  t.deepEqual(gone(stable('1.22', '1.22', '1.25')), ['removed-early']);
  t.deepEqual(gone(stable('1.22', '1.22', '1.26')), []);
  t.deepEqual(gone(stable('1.12', '1.12', '1.15')), ['removed-early']);
  t.deepEqual(gone(stable('1.12', '1.12', '1.16')), []);
});

test('[B-DEPR-13] the check refuses a stable metric that is gone without a deprecation or before its release, and one that outlives it; an alpha one may go', (t) => {
  t.deepEqual(gone(stable('1.16')), ['removed-early']);
  t.deepEqual(gone(stable('1.16', '1.22')), ['order']);
  t.deepEqual(gone(stable('1.16', '1.22', '1.25'), '1.24'), ['removed-early']);
  t.deepEqual(present(stable('1.16', '1.22', '1.26')), ['still-there']);
  t.deepEqual(present(stable('1.27')), ['order']);
  t.deepEqual(present(stable('1.20', '1.19')), ['order']);
  t.deepEqual(present({name: 'shop', stability: 'STABLE'}), ['order']);
  t.deepEqual(
    metricLifetimeFaults([stable('1.16')], [stable('1.16', '1.20', '1.25')]).map(({rule}) => rule),
    ['still-there'],
  );
  t.deepEqual(gone({name: 'shop', stability: 'ALPHA'}), []);
});

test('[B-DEPR-13] the metrics that servers declare keep the promises, and each has a name of its own', (t) => {
  t.deepEqual(metricLifetimeFaults(declaredMetrics, removedMetrics), []);
  t.is(new Set(declaredMetrics.map(({name}) => name)).size, declaredMetrics.length);
  t.true(declaredMetrics.filter(({stability}) => stability === 'STABLE').length >= 10);
});
