import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {CounterSeries, GaugeSeries, HistogramSeries, Metric, Metrics} from '../../../sdk/index.js';
import {watchMetrics} from './request-declarations.js';

/** Counts events sent to watches. */
export class WatchFigures {
  readonly #events: Metric<CounterSeries>;
  readonly #sizes: Metric<HistogramSeries>;
  readonly #registered: Metric<GaugeSeries>;
  readonly #isByResource: boolean;
  /** Types that have been watched. */
  readonly #kinds = new Map<string, readonly [group: string, version: string, kind: string]>();

  constructor(metrics: Metrics) {
    this.#events = metrics.counter(watchMetrics.events);
    this.#sizes = metrics.histogram(watchMetrics.sizes);
    this.#registered = metrics.gauge(watchMetrics.registered);
    this.#isByResource = this.#events.labels.includes('resource');
  }

  /** For one watch. */
  of(version: string, type: WatchedType): KindFigures {
    const labels = [type.group, version, this.#nameOf(type)] as const;
    if (this.#kinds.size < 2 * watchMetrics.events.maximumSeries) this.#kinds.set(labels.join(' '), labels);
    return new KindFigures(this.#events.with(...labels), this.#sizes.with(...labels), this.#registered.with(...labels));
  }

  /** As the release names types in these metrics. */
  #nameOf({kind, plural}: WatchedType): string {
    return this.#isByResource ? plural : kind;
  }

  /** Drops the series of kinds that are no longer served. */
  dropGone(catalog: Pick<ResourceCatalog, 'types'>): void {
    const served = new Set<string>();
    for (const type of catalog.types()) for (const {name} of type.versions) served.add(`${type.group} ${name} ${this.#nameOf(type)}`);
    for (const [key, labels] of this.#kinds) {
      if (served.has(key)) continue;
      this.#kinds.delete(key);
      for (const metric of [this.#events, this.#sizes, this.#registered]) metric.remove(...labels);
    }
  }
}

/** What is watched. */
interface WatchedType {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

/** Counts events sent to the watches of one kind. */
export class KindFigures {
  readonly #events: CounterSeries;
  readonly #sizes: HistogramSeries;
  readonly #registered: GaugeSeries;

  constructor(events: CounterSeries, sizes: HistogramSeries, registered: GaugeSeries) {
    this.#events = events;
    this.#sizes = sizes;
    this.#registered = registered;
  }

  begin(): void {
    this.#registered.add(1);
  }

  end(): void {
    this.#registered.add(-1);
  }

  /** @param sizes of the events, in bytes */
  sent(sizes: readonly number[] | undefined): void {
    if (!sizes) return;
    this.#events.add(sizes.length);
    for (const size of sizes) this.#sizes.observe(size);
  }
}
