import type {CounterSeries, GaugeSeries, HistogramSeries, Metric, Metrics} from '../../../sdk/index.js';
import type {Resource} from '../../registry/resource.js';
import type {Exchange} from '../request/exchange.js';
import type {ResolvedExchange} from '../request/stages.js';
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
/** Paths outside the resource tree with a series of their own, including what is below them. */
const knownPath = /^\/(?:api|apis|healthz|livez|metrics|openapi\/v2|openapi\/v3|readyz|version)(?=\/|$)/;
const component = 'apiserver';
/** Period of the gauges of maximum concurrency, in milliseconds. */
const lookBackMillis = 1000;

/** The series of the requests of one verb for one type. */
interface Series {
  readonly codes: Map<number, CounterSeries>;
  readonly duration: HistogramSeries;
  readonly size: HistogramSeries | undefined;
  readonly labels: readonly string[];
}

/** The series of one resource. Their labels are compared one by one, without making a key: the strings are few, and always the same ones. */
interface ResourceSeries {
  readonly verb: string;
  readonly dryRun: string;
  readonly scope: string;
  readonly series: Series;
}

/** Whether a request is for a resource that the server serves. */
export type IsServed = (info: Pick<RequestInfo, 'group' | 'version' | 'resource' | 'subresource'>) => boolean;

/** Counts requests. A resource that the server does not serve counts as `other`, so that clients cannot create series. */
export class RequestFigures {
  readonly #total: Metric<CounterSeries>;
  readonly #duration: Metric<HistogramSeries>;
  readonly #sizes: Metric<HistogramSeries>;
  readonly #terminations: Metric<CounterSeries>;
  readonly #longRunning: Metric<GaugeSeries>;
  readonly #deprecated: Metric<GaugeSeries>;
  readonly #known = new Map<string, Series>();
  /** The fast path of nearly all requests. */
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

  /** Counts a parsed request as in progress until its response has been sent. */
  begin(exchange: ResolvedExchange): void {
    if (isLongRunning(exchange)) {
      const {labels} = this.#seriesOf(exchange);
      const [verb, , ...rest] = labels;
      const series = this.#longRunning.with(verb!, ...rest);
      series.add(1);
      exchange.whenFinished(() => series.add(-1));
      return;
    }
    // `finish` has been called already.
    if (exchange.isFinished) return;
    const number = writes.has(verbs[exchange.info.verb] ?? '') ? this.#mutating : this.#readOnly;
    number.begin(exchange.startedAt);
    exchange.counted = number;
  }

  /** The response has been sent, or its client has gone. */
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

  /** Records a request for a deprecated version. */
  deprecated({group, version, resource, subresource}: RequestInfo, removedRelease: string): void {
    this.#deprecated.with(group, version, resource, subresource, removedRelease).set(1);
  }

  /** Drops the series of types that are no longer served: they would take the room of new ones. */
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
    // An invalid path.
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
    // Paths and names contain no space.
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

/** The number in progress, and its maximum in the last and the current second. */
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
    // Without changes the maximum is the current number.
    this.#before = now - this.#since > 2 * lookBackMillis ? this.#now : this.#highest;
    this.#highest = this.#now;
    this.#since = now;
  }
}
