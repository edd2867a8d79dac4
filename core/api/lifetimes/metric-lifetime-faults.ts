import type {MetricDeclaration} from '../../../sdk/index.js';
import {faultsOfAll, type LifetimeFault, type LifetimeRule} from './lifetime-fault.js';
import {compareReleases, promiseRelease, releaseAfter} from './releases.js';

/** The members of a metric that its lifetime depends on. */
export type MetricWithLifetime = Pick<MetricDeclaration, 'name' | 'stability' | 'since' | 'deprecated'>;

/**
 * How long a stable metric exists in total, and how long after its deprecation
 * (docs/semantics/deprecation.md#flags-commands-gates-and-metrics).
 */
const inAll = {months: 12, releases: 4} as const;
const onceDeprecated = {months: 9, releases: 3} as const;

/** Lifetime errors of metrics: removal too early or without a deprecation, or a metric that exists although it was removed. */
export function metricLifetimeFaults(
  present: readonly MetricWithLifetime[],
  removed: readonly MetricWithLifetime[],
  release = promiseRelease,
): LifetimeFault[] {
  return faultsOfAll(present, removed, subjectOf, (metric, gone) => faultsOf(metric, gone, release));
}

function faultsOf(metric: MetricWithLifetime, gone: boolean, release: string): LifetimeFault[] {
  const {stability, since, deprecated} = metric;
  // An alpha metric may be removed at any time.
  if (stability === 'ALPHA') return [];
  const faults: LifetimeFault[] = [];
  const add = (rule: LifetimeRule, text: string) => faults.push({rule, subject: subjectOf(metric.name), text});
  if (since === undefined) {
    add('order', 'what is stable says since which release');
    return faults;
  }
  if (compareReleases(since, release) > 0) add('order', `it is stable since ${since}, and this is release ${release}`);
  if (deprecated === undefined) {
    if (gone) add('removed-early', 'a stable metric is deprecated before it is removed');
    return faults;
  }
  if (compareReleases(deprecated.since, since) < 0) add('order', 'a metric is stable first, and deprecated then');
  if (compareReleases(deprecated.since, release) > 0)
    add('order', `it is deprecated in ${deprecated.since}, and this is release ${release}`);
  const {removal} = deprecated;
  if (removal === undefined) {
    if (gone) add('order', 'it is gone, and no release is named that removed it');
    return faults;
  }
  const earliest = earliestRemoval(since, deprecated.since);
  if (compareReleases(removal, earliest) < 0)
    add(
      'removed-early',
      `what is stable since ${since} and deprecated in ${deprecated.since} stays until ${earliest}, and it would be removed in ${removal}`,
    );
  if (gone && compareReleases(removal, release) > 0) add('removed-early', `it is gone, and it is to be removed in ${removal} only`);
  if (!gone && compareReleases(removal, release) <= 0) add('still-there', `it was to be removed in ${removal}`);
  return faults;
}

function earliestRemoval(since: string, deprecated: string): string {
  const [first, second] = [releaseAfter(since, inAll), releaseAfter(deprecated, onceDeprecated)];
  return compareReleases(first, second) > 0 ? first : second;
}

function subjectOf(name: string): string {
  return `the metric ${name}`;
}
