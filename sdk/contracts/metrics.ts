/** How long a metric can be relied on: an `ALPHA` metric may change or disappear at any time, a `BETA` one will not without notice. */
export type MetricStability = 'ALPHA' | 'BETA' | 'STABLE';

/** What differs of a metric between the releases of Kubernetes that a server can serve. */
export interface MetricReleases {
  /** The first release that has it, and the first without it. */
  readonly since?: string;
  readonly until?: string;
  /** The releases from which on it is `BETA` and `STABLE`. */
  readonly beta?: string;
  readonly stable?: string;
  /** The release from which on it is deprecated. */
  readonly deprecated?: string;
  /** Its labels from a release on. */
  readonly labels?: {readonly since: string; readonly names: readonly string[]};
}

/** A metric. The same declaration may be repeated, by every plugin that updates it. */
export interface MetricDeclaration {
  /** Letters, digits and underscores; a plugin's metrics start with its own prefix: `shop_orders_total`. */
  readonly name: string;
  /** What is counted or measured, in one sentence; units are seconds and bytes. */
  readonly help: string;
  readonly stability: MetricStability;
  /** The first release in which it is stable; required if it is `STABLE`. */
  readonly since?: string;
  /** The first release in which it is deprecated, and the first without it, if that is decided. */
  readonly deprecated?: {readonly since: string; readonly removal?: string};
  /** Names of its labels, in the order in which their values are given. */
  readonly labels?: readonly string[];
  /** Where a metric is not the same in all releases of Kubernetes. A server without it counts, and shows nothing. */
  readonly releases?: MetricReleases;
  /** Maximum number of label value combinations: 1,000 by default. Further ones are counted under the value `other` of every label. */
  readonly maximumSeries?: number;
}

export interface HistogramDeclaration extends MetricDeclaration {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

export interface CounterSeries {
  /** @throws RangeError for less than 0 */
  add(amount?: number): void;
}

export interface GaugeSeries {
  set(value: number): void;
  /** Adds; subtracts if negative. */
  add(amount: number): void;
}

export interface HistogramSeries {
  observe(value: number): void;
}

/** A metric with labels. */
export interface Metric<Series> {
  /** Names of its labels in the release that the server serves. */
  readonly labels: readonly string[];

  /**
   * The series with these label values, in the order of the labels. Callers that count often should keep it. Values must come from a set
   * known in advance: never user names, and nothing that requests can choose freely.
   *
   * @throws TypeError for another number of values
   */
  with(...values: readonly string[]): Series;

  /** Drops a series: what it was about is gone. Whoever still holds it counts for nobody. */
  remove(...values: readonly string[]): void;
}

export interface Gauge extends Metric<GaugeSeries> {
  /** Removes all series; for gauges that `collect` sets anew. */
  clear(): void;
}

/**
 * The metrics of a server at `/metrics`. Counting costs a few nanoseconds, whether or not anybody reads them.
 *
 * All declaring methods throw a TypeError if the name is invalid or belongs to another metric.
 */
export interface Metrics {
  counter(declaration: MetricDeclaration): Metric<CounterSeries>;
  gauge(declaration: MetricDeclaration): Gauge;
  histogram(declaration: HistogramDeclaration): Metric<HistogramSeries>;
  /** Called before each response, to set values that are only determined on demand. Responses wait at most one second for promises. */
  collect(callback: () => void | Promise<void>): void;
}
