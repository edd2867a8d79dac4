import type {CounterSeries, GaugeSeries, HistogramSeries, Metric, Metrics} from '../../../sdk/index.js';
import {watchMetrics} from './request-declarations.js';

/** Counts what is sent to those who watch. */
export class WatchFigures {
  readonly #events: Metric<CounterSeries>;
  readonly #sizes: Metric<HistogramSeries>;
  readonly #registered: Metric<GaugeSeries>;

  constructor(metrics: Metrics) {
    this.#events = metrics.counter(watchMetrics.events);
    this.#sizes = metrics.histogram(watchMetrics.sizes);
    this.#registered = metrics.gauge(watchMetrics.registered);
  }

  /** For one watch. */
  of(group: string, version: string, kind: string): KindFigures {
    const labels = [group, version, kind] as const;
    return new KindFigures(this.#events.with(...labels), this.#sizes.with(...labels), this.#registered.with(...labels));
  }
}

/** Counts what is sent to those who watch one kind. */
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
