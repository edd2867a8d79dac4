/** How long a metric may be relied on: one that is `ALPHA` may change or go at any time. */
export type MetricStability = 'ALPHA' | 'STABLE';

/** What a metric is. The same declaration may be made several times: by every plugin that counts in it. */
export interface MetricDeclaration {
  /** Letters, digits and underscores; those of a plugin begin with a word of its own: `shop_orders_total`. */
  readonly name: string;
  /** What is counted or measured, in one sentence; units are seconds and bytes. */
  readonly help: string;
  readonly stability: MetricStability;
  /** The first release in which it is stable; needed where it is `STABLE`. */
  readonly since?: string;
  /** It is going away: the first release in which it is deprecated, and the first without it, if that is decided. */
  readonly deprecated?: {readonly since: string; readonly removal?: string};
  /** Names of its labels, in the order in which their values are given. */
  readonly labels?: readonly string[];
  /** How many combinations of label values are told apart: 1,000 by default. What comes later counts under the value `other` of every label. */
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
  /** Adds; takes away when negative. */
  add(amount: number): void;
}

export interface HistogramSeries {
  observe(value: number): void;
}

/** A metric with labels. */
export interface Metric<Series> {
  /**
   * The series with these label values, as many as there are labels. Whoever counts often keeps it. Values come from a set that is known
   * beforehand: never names of users, and nothing that a request may choose freely.
   *
   * @throws TypeError for another number of values
   */
  with(...values: readonly string[]): Series;
}

export interface Gauge extends Metric<GaugeSeries> {
  /** Forgets all series; for gauges that are set anew by `collect`. */
  clear(): void;
}

/**
 * What a server tells of itself at `/metrics`. Counting costs a few nanoseconds, whether anybody looks or not.
 *
 * All that declare throw a TypeError when the name is not one, or when another metric has it.
 */
export interface Metrics {
  counter(declaration: MetricDeclaration): Metric<CounterSeries>;
  gauge(declaration: MetricDeclaration): Gauge;
  histogram(declaration: HistogramDeclaration): Metric<HistogramSeries>;
  /** Calls back before each answer, to set what is only known by looking. Answers wait at most one second for promises. */
  collect(callback: () => void | Promise<void>): void;
}
