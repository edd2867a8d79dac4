import type {HistogramDeclaration, Metric, MetricDeclaration} from '../../sdk/index.js';
import type {BucketLines} from './bucket-lines.js';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A metric of any type, as far as declarations go. */
export type AnyDeclaration = MetricDeclaration & Partial<Pick<HistogramDeclaration, 'buckets'>>;

/** Combinations of label values that are told apart unless the declaration says otherwise. */
const defaultSeries = 1000;
/** Longest label value, in characters. */
const longestValue = 200;
/** What all labels say of what comes when there are as many series as there may be. */
const folded = 'other';

/** The forms of the text. */
export type TextForm = 'text' | 'openMetrics';

/** A series, and what does not change in its lines: made by the first who asks. */
export interface LabelledSeries<Series> {
  readonly labels: readonly string[];
  readonly series: Series;
  told?: {
    readonly form: TextForm;
    /** What stands before its values, one behind the other, and where each ends. */
    readonly heads: Buffer;
    readonly ends: readonly number[];
    /** The lines of its buckets, where it has any. */
    buckets?: BucketLines;
  };
}

/** A metric and its series. */
export class MetricFamily<Series = unknown> implements Metric<Series> {
  readonly #series = new Map<string, LabelledSeries<Series>>();
  readonly #make: () => Series;
  readonly #labels: readonly string[];
  readonly #maximum: number;

  constructor(
    readonly type: MetricType,
    readonly declaration: AnyDeclaration,
    make: () => Series,
  ) {
    this.#make = make;
    this.#labels = declaration.labels ?? [];
    this.#maximum = declaration.maximumSeries ?? defaultSeries;
    // What has no labels is there from the beginning.
    if (this.#labels.length === 0) this.with();
  }

  get series(): Iterable<LabelledSeries<Series>> {
    return this.#series.values();
  }

  get size(): number {
    return this.#series.size;
  }

  with(...values: readonly string[]): Series {
    const key = values.length === 1 ? values[0]! : values.join('\u0000');
    return (this.#series.get(key) ?? this.#add(key, values)).series;
  }

  /** Forgets all series. */
  clear(): void {
    this.#series.clear();
  }

  #add(key: string, values: readonly string[]): LabelledSeries<Series> {
    if (values.length !== this.#labels.length) {
      throw new TypeError(
        `the metric ${this.declaration.name} has the labels ${this.#labels.join(', ') || '(none)'}, and ${values.length} values are given`,
      );
    }
    const isFull = this.#series.size >= this.#maximum;
    const known = isFull ? this.#labels.map(() => folded) : values.map((value) => cut(value));
    const kept = isFull ? known.join('\u0000') : key;
    let entry = this.#series.get(kept);
    if (!entry) this.#series.set(kept, (entry = {labels: known, series: this.#make()}));
    return entry;
  }
}

function cut(value: string): string {
  return value.length > longestValue ? value.slice(0, longestValue) : value;
}
