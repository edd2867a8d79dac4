import type {HistogramDeclaration, Metric, MetricDeclaration} from '../../sdk/index.js';

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

/** A series, and the constant parts of its lines once they have been made. */
export interface LabelledSeries<Series> {
  readonly labels: readonly string[];
  series: Series;
  /** The metric's number of clears when the series was last set: the series is gone if it has been cleared since. */
  era: number;
  prefixes?: {
    readonly form: TextForm;
    /** The text before each value, concatenated, and the end of each. */
    readonly heads: Buffer;
    readonly ends: readonly number[];
  };
}

/** A metric and its series. */
export class MetricFamily<Series = unknown> implements Metric<Series> {
  readonly #series = new Map<string, LabelledSeries<Series>>();
  readonly #make: () => Series;
  readonly labels: readonly string[];
  readonly #maximum: number;
  #era = 0;

  constructor(
    readonly type: MetricType,
    readonly declaration: AnyDeclaration,
    make: () => Series,
  ) {
    this.#make = make;
    this.labels = declaration.labels ?? [];
    this.#maximum = declaration.maximumSeries ?? defaultSeries;
    // A metric without labels has its series from the start.
    if (this.labels.length === 0) this.with();
  }

  /** All series, oldest first. */
  get series(): readonly LabelledSeries<Series>[] {
    this.#forget();
    return [...this.#series.values()];
  }

  with(...values: readonly string[]): Series {
    const key = values.length === 1 ? values[0]! : values.join('\u0000');
    const entry = this.#series.get(key);
    return (entry?.era === this.#era ? entry : this.#add(key, values)).series;
  }

  /** Removes all series. The texts of those that come back soon are reused. */
  clear(): void {
    this.#era += 1;
  }

  remove(...values: readonly string[]): void {
    this.#series.delete(values.join('\u0000'));
  }

  /** Drops removed series that have not come back. */
  #forget(): void {
    if (this.#era === 0) return;
    for (const [key, {era}] of this.#series) if (era !== this.#era) this.#series.delete(key);
  }

  #add(key: string, values: readonly string[]): LabelledSeries<Series> {
    if (values.length !== this.labels.length) {
      throw new TypeError(
        `the metric ${this.declaration.name} has the labels ${this.labels.join(', ') || '(none)'}, and ${values.length} values are given`,
      );
    }
    const former = this.#series.get(key);
    if (former) return this.#revive(former);
    if (this.#series.size >= this.#maximum) this.#forget();
    const isFull = this.#series.size >= this.#maximum;
    const known = isFull ? this.labels.map(() => folded) : values.map((value) => cut(value));
    const kept = isFull ? known.join('\u0000') : key;
    let entry = this.#series.get(kept);
    if (!entry) this.#series.set(kept, (entry = {labels: known, series: this.#make(), era: this.#era}));
    return entry.era === this.#era ? entry : this.#revive(entry);
  }

  #revive(entry: LabelledSeries<Series>): LabelledSeries<Series> {
    entry.series = this.#make();
    entry.era = this.#era;
    return entry;
  }
}

function cut(value: string): string {
  return value.length > longestValue ? value.slice(0, longestValue) : value;
}
