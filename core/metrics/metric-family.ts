import type {HistogramDeclaration, Metric, MetricDeclaration} from '../../sdk/index.js';
import type {BucketLines} from './bucket-lines.js';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The declaration of a metric of any type. */
export type AnyDeclaration = MetricDeclaration & Partial<Pick<HistogramDeclaration, 'buckets'>>;

/** Maximum combinations of label values, unless the declaration says otherwise. */
const defaultSeries = 1000;
/** Maximum characters of a label value. */
const longestValue = 200;
/** The value of all labels once the maximum number of series is reached. */
const folded = 'other';

/** The text formats. */
export type TextForm = 'text' | 'openMetrics';

/** A series and the fixed parts of its lines, which are created on first use. */
export interface LabelledSeries<Series> {
  readonly labels: readonly string[];
  readonly series: Series;
  told?: {
    readonly form: TextForm;
    /** The texts before its values, concatenated, and the end of each. */
    readonly heads: Buffer;
    readonly ends: readonly number[];
    /** The lines of its buckets, if it has any. */
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
    // A metric without labels has its series from the start.
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

  /** Removes all series. */
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
