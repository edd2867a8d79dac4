import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {declaredMetrics} from '../../../core/lifetimes/declared-metrics.js';
import {declarationAt} from '../../../core/metrics/metric-release.js';
import {MetricRegistry} from '../../../core/metrics/metric-registry.js';
import {startTestServer} from '@orch-api/orch/testing';
import {parseMetrics} from '../../helpers/metrics-text.js';
import {projectRoot} from '../../helpers/project-root.js';

interface Recorded {
  readonly type: string;
  readonly stability: string;
  readonly labels?: readonly string[];
  readonly deprecated?: string;
  readonly buckets?: readonly number[];
}

/** What a kube-apiserver shows after requests of all kinds, without what is about Go, gRPC, etcd and its own clients. */
const recordedOf = (release: string) =>
  JSON.parse(readFileSync(join(projectRoot(), `test/core/http/metrics-${release}.json`), 'utf8')) as Readonly<Record<string, Recorded>>;
const text = readFileSync(join(projectRoot(), 'docs/operations/monitoring.md'), 'utf8');
/** Patterns of the names in the table of those that are not there; the first row is about what is not recorded. */
const leftOut = text
  .slice(text.indexOf('### Metrics that are not there'))
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .slice(1)
  .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
const fits = (pattern: string, name: string) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);

for (const release of ['1.30', '1.36'])
  test(`what kube-apiserver ${release} shows is there with its type, stability, labels and bounds, or in the table of what is not`, async (t) => {
    await using server = await startTestServer({platform: 'kubernetes', release});
    const shown = parseMetrics((await server.client.get('/metrics')).body.toString());
    const declared = new Map(declaredMetrics.flatMap((one) => declarationAt(one, release) ?? []).map((one) => [one.name, one]));
    for (const [name, {type, stability, labels = [], deprecated, buckets}] of Object.entries(recordedOf(release))) {
      const family = shown.get(name);
      // Some are shown only once something has happened.
      if (!family && !text.includes(`| \`${name}\` |`))
        t.true(
          leftOut.some((pattern) => fits(pattern, name)),
          `${name} is neither there nor in the table`,
        );
      if (!family) continue;
      t.is(family.type, type, name);
      t.true(
        family.help.startsWith(`[${stability}] ${deprecated ? `(Deprecated since ${deprecated}.0) ` : ''}`),
        `${name}: ${family.help}`,
      );
      const own = declared.get(name);
      // A metric without samples tells no labels.
      if (own && labels.length > 0) t.deepEqual([...(own.labels ?? [])].toSorted(), [...labels], name);
      if (own && buckets) t.deepEqual(own.buckets, buckets, name);
    }
  });

test('each row of the table of what is not there is about something that a kube-apiserver shows', (t) => {
  const names = ['1.30', '1.36'].flatMap((release) => Object.keys(recordedOf(release)));
  for (const pattern of leftOut)
    t.true(
      names.some((name) => fits(pattern, name)),
      pattern,
    );
});

test('a metric has the labels and the stability of the release, and is not shown where the release does not have it', (t) => {
  const declaration = {
    name: 'x_total',
    help: 'Some.',
    stability: 'ALPHA',
    labels: ['kind'],
    releases: {since: '1.28', until: '1.35', beta: '1.30', deprecated: '1.34', labels: {since: '1.32', names: ['resource']}},
  } as const;
  const at = (release?: string) => {
    const registry = new MetricRegistry(undefined, release);
    registry.counter(declaration).with('a').add();
    return registry.families.map(({declaration: {stability, labels, deprecated}}) => [stability, labels?.join(), deprecated?.since]);
  };
  t.deepEqual(at('1.27'), []);
  t.deepEqual(at('1.28'), [['ALPHA', 'kind', undefined]]);
  t.deepEqual(at('1.30'), [['BETA', 'kind', undefined]]);
  t.deepEqual(at('1.34'), [['BETA', 'resource', '1.34']]);
  t.deepEqual(at('1.35'), []);
  t.deepEqual(at(), []);
});
