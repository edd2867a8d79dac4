import type {CounterSeries, GaugeSeries, HistogramSeries, Metric, Metrics} from '../../../sdk/index.js';
import type {Resource} from '../../registry/resource.js';
import type {Exchange} from '../request/exchange.js';
import {isLongRunning} from '../request/long-running.js';
import type {RequestInfo} from '../request/request-info.js';
import {requestMetrics} from './request-declarations.js';

const verbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  post: 'POST',
  update: 'PUT',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  head: 'GET',
  connect: 'CONNECT',
};
const writes = new Set(['POST', 'PUT', 'PATCH', 'APPLY', 'DELETE', 'DELETECOLLECTION']);
/** Paths outside the resource tree that are told apart, with what is below them. */
const knownPath = /^\/(?:api|apis|healthz|livez|metrics|openapi\/v2|openapi\/v3|readyz|version)(?=\/|$)/;
const component = 'apiserver';
/** Length of what a gauge of the greatest number looks back on, in milliseconds. */
const lookBackMillis = 1000;

/** What requests of one verb about one type are counted in. */
interface Series {
  readonly codes: Map<number, CounterSeries>;
  readonly duration: HistogramSeries;
  readonly size: HistogramSeries | undefined;
  readonly labels: readonly string[];
}

/** The series of requests about one resource. What tells them apart is compared as it is: the texts are few, and always the same ones. */
interface ResourceSeries {
  readonly verb: string;
  readonly dryRun: string;
  readonly scope: string;
  readonly series: Series;
}

/** Whether a request is about something that the server has. */
export type IsServed = (info: Pick<RequestInfo, 'group' | 'version' | 'resource' | 'subresource'>) => boolean;

/** Counts requests. What a request names and the server does not have counts as `other`, so that clients cannot make up series. */
export class RequestFigures {
  readonly #total: Metric<CounterSeries>;
  readonly #duration: Metric<HistogramSeries>;
  readonly #sizes: Metric<HistogramSeries>;
  readonly #terminations: Metric<CounterSeries>;
  readonly #longRunning: Metric<GaugeSeries>;
  readonly #deprecated: Metric<GaugeSeries>;
  readonly #known = new Map<string, Series>();
  /** The way by which nearly all requests find theirs. */
  readonly #ofResources = new WeakMap<Resource, ResourceSeries[]>();
  readonly #isServed: IsServed;
  readonly #mutating = new HighestNumber();
  readonly #readOnly = new HighestNumber();

  constructor(metrics: Metrics, isServed: IsServed) {
    this.#isServed = isServed;
    this.#total = metrics.counter(requestMetrics.total);
    this.#duration = metrics.histogram(requestMetrics.duration);
    this.#sizes = metrics.histogram(requestMetrics.responseSizes);
    this.#terminations = metrics.counter(requestMetrics.terminations);
    this.#longRunning = metrics.gauge(requestMetrics.longRunning);
    this.#deprecated = metrics.gauge(requestMetrics.deprecated);
    const inFlight = metrics.gauge(requestMetrics.inFlight);
    metrics.collect(() => {
      inFlight.with('mutating').set(this.#mutating.read());
      inFlight.with('readOnly').set(this.#readOnly.read());
    });
  }

  /** A request has been understood; counts it among those under way until its answer has gone out. */
  begin(exchange: Exchange): void {
    if (isLongRunning(exchange)) {
      const {labels} = this.#seriesOf(exchange);
      const [verb, , ...rest] = labels;
      const series = this.#longRunning.with(verb!, ...rest);
      series.add(1);
      exchange.whenFinished(() => series.add(-1));
      return;
    }
    // Nobody would count it out again.
    if (exchange.isFinished) return;
    const number = writes.has(verbs[exchange.info.verb] ?? '') ? this.#mutating : this.#readOnly;
    number.begin(exchange.startedAt);
    exchange.counted = number;
  }

  /** The answer of a request has gone out, or nobody takes it. */
  finish(exchange: Exchange): void {
    const {response, startedAt} = exchange;
    exchange.counted?.end();
    const series = this.#seriesOf(exchange);
    const code = response.headersSent ? response.statusCode : 0;
    let total = series.codes.get(code);
    if (!total) series.codes.set(code, (total = this.#total.with(...series.labels, String(code))));
    total.add();
    series.duration.observe((performance.now() - startedAt) / 1000);
    if (exchange.terminated) {
      const [verb, , ...rest] = series.labels;
      this.#terminations.with(verb!, ...rest, String(code)).add();
    }
    if (series.size && exchange.answerBytes !== undefined) series.size.observe(exchange.answerBytes);
  }

  /** A deprecated version has been asked for. */
  deprecated({group, version, resource, subresource}: RequestInfo, removedRelease: string): void {
    this.#deprecated.with(group, version, resource, subresource, removedRelease).set(1);
  }

  /** Drops the series of types that are not served any more: they would take the room of those that come. */
  dropGone(): void {
    for (const [key, {labels, codes}] of this.#known) {
      const [verb = '', , group = '', version = '', resource = '', subresource = ''] = labels;
      if (group === '' || resource === '' || this.#isServed({group, version, resource, subresource})) continue;
      const [, , ...rest] = labels;
      this.#known.delete(key);
      this.#duration.remove(...labels);
      this.#sizes.remove(verb, ...rest);
      this.#longRunning.remove(verb, ...rest);
      for (const code of codes.keys()) {
        this.#total.remove(...labels, String(code));
        this.#terminations.remove(verb, ...rest, String(code));
      }
    }
  }

  #seriesOf({info, method, query, request, resource}: Exchange): Series {
    // A path that cannot be read.
    if (info === undefined) return this.#find([verbs[method.toLowerCase()] ?? 'other', '', '', '', 'other', '', '', component]);
    let verb = verbs[info.verb] ?? 'other';
    if (verb === 'PATCH' && request.headers['content-type']?.startsWith('application/apply-patch')) verb = 'APPLY';
    const dryRun = info.isResourceRequest && query.size > 0 && writes.has(verb) ? dryRunOf(query.get('dryRun')) : '';
    const scope = scopeOf(info);
    if (resource) return this.#seriesOfResource(resource, info, verb, dryRun, scope);
    if (info.isResourceRequest) return this.#seriesOfType(info, verb, dryRun, scope);
    return this.#find([verb, '', '', '', '', knownPath.exec(info.path)?.[0] ?? '', '', component]);
  }

  #seriesOfResource(resource: Resource, info: RequestInfo, verb: string, dryRun: string, scope: string): Series {
    let known = this.#ofResources.get(resource);
    if (!known) this.#ofResources.set(resource, (known = []));
    for (const one of known) if (one.verb === verb && one.dryRun === dryRun && one.scope === scope) return one.series;
    const series = this.#seriesOfType(info, verb, dryRun, scope);
    known.push({verb, dryRun, scope, series});
    return series;
  }

  #seriesOfType(info: RequestInfo, verb: string, dryRun: string, scope: string): Series {
    const {group, version, resource, subresource} = info;
    if (!this.#isServed(info)) return this.#find([verb, dryRun, '', '', 'other', '', scope, component]);
    return this.#find([verb, dryRun, group, version, resource, subresource, scope, component]);
  }

  #find(labels: readonly string[]): Series {
    // No path and no name has a space.
    const key = `= ${labels.join(' ')}`;
    let series = this.#known.get(key);
    if (series) return series;
    const [verb, , ...rest] = labels;
    series = {
      codes: new Map(),
      duration: this.#duration.with(...labels),
      size: verb === 'GET' || verb === 'LIST' ? this.#sizes.with(verb, ...rest) : undefined,
      labels,
    };
    if (this.#known.size < 2 * requestMetrics.duration.maximumSeries) this.#known.set(key, series);
    return series;
  }
}

function dryRunOf(value: string | null): string {
  return value === null || value === '' ? '' : value === 'All' ? value : 'invalid';
}

function scopeOf({name, verb, namespace, isResourceRequest}: RequestInfo): string {
  if (name !== '' || verb === 'create') return 'resource';
  if (namespace !== '') return 'namespace';
  return isResourceRequest ? 'cluster' : '';
}

/** How many are under way, and how many there were at most in the second that is over or in this one. */
class HighestNumber {
  #now = 0;
  #highest = 0;
  #before = 0;
  #since = 0;

  begin(now: number): void {
    this.#now += 1;
    if (now - this.#since > lookBackMillis) this.#turn(now);
    if (this.#now > this.#highest) this.#highest = this.#now;
  }

  end(): void {
    this.#now -= 1;
  }

  read(): number {
    const now = performance.now();
    if (now - this.#since > lookBackMillis) this.#turn(now);
    return Math.max(this.#before, this.#highest);
  }

  #turn(now: number): void {
    // A quiet time has no highest number but the present one.
    this.#before = now - this.#since > 2 * lookBackMillis ? this.#now : this.#highest;
    this.#highest = this.#now;
    this.#since = now;
  }
}
