import {setTimeout as delay} from 'node:timers/promises';
import {isDeepStrictEqual} from 'node:util';
import type {
  CounterSeries,
  Gauge,
  GaugeSeries,
  HistogramDeclaration,
  HistogramSeries,
  Logger,
  Metric,
  MetricDeclaration,
  Metrics,
} from '../../sdk/index.js';
import {MetricFamily, type AnyDeclaration, type MetricType} from './metric-family.js';
import {declarationAt} from './metric-release.js';
import {Count, Distribution, Level} from './metric-series.js';

/** Maximum milliseconds that a response waits for collectors. */
const longestCollection = 1000;
const namePattern = /^[a-zA-Z][a-zA-Z0-9_]*$/;
const labelPattern = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;
/** Prefixes of the metrics that prom-client provides. */
const reserved = /^(?:process|nodejs)_/;

/** The metrics of one server. */
export class MetricRegistry implements Metrics {
  readonly #families = new Map<string, MetricFamily>();
  /** Names of samples, and of the metric that each is of. */
  readonly #samples = new Map<string, string>();
  readonly #collectors: (() => void | Promise<void>)[] = [];
  readonly #logger: Logger | undefined;
  readonly #release: string | undefined;

  /** @param release whose metrics are shown; those of the newest if left out */
  constructor(logger?: Logger, release?: string) {
    this.#logger = logger;
    this.#release = release;
  }

  /** All declared metrics, sorted by name. */
  get families(): MetricFamily[] {
    return [...this.#families.values()].sort((a, b) => (a.declaration.name < b.declaration.name ? -1 : 1));
  }

  counter(declaration: MetricDeclaration): Metric<CounterSeries> {
    return this.#declare<Count>('counter', declaration, () => new Count());
  }

  gauge(declaration: MetricDeclaration): Gauge {
    return this.#declare<GaugeSeries>('gauge', declaration, () => new Level());
  }

  histogram(declaration: HistogramDeclaration): Metric<HistogramSeries> {
    const {buckets, name} = declaration;
    const ascending = buckets.every((bound, index) => Number.isFinite(bound) && (index === 0 || bound > buckets[index - 1]!));
    if (buckets.length === 0 || !ascending)
      throw new TypeError(`the metric ${name}: buckets are finite numbers, each greater than the one before`);
    return this.#declare<Distribution>('histogram', declaration, () => new Distribution(buckets));
  }

  collect(callback: () => void | Promise<void>): void {
    this.#collectors.push(callback);
  }

  /** Runs the collectors of values that are determined on demand. If one fails or takes too long, its last values stay. */
  async refresh(): Promise<void> {
    const pending: Promise<void>[] = [];
    for (const collector of this.#collectors) {
      try {
        const result = collector();
        if (result) pending.push(result.catch((error: unknown) => this.#failed(error)));
      } catch (error) {
        this.#failed(error);
      }
    }
    if (pending.length === 0) return;
    const limit = new AbortController();
    await Promise.race([Promise.all(pending), delay(longestCollection, undefined, {signal: limit.signal}).catch(() => undefined)]);
    limit.abort();
  }

  #failed(error: unknown): void {
    this.#logger?.warn({err: error}, 'a metric cannot be told');
  }

  #declare<Series>(type: MetricType, declared: AnyDeclaration, make: () => Series): MetricFamily<Series> {
    const {name} = declared;
    const declaration = declarationAt(declared, this.#release);
    if (!declaration) return new MetricFamily(type, declared, make);
    const known = this.#families.get(name);
    if (known) {
      if (known.type === type && isDeepStrictEqual(known.declaration, declaration)) return known as MetricFamily<Series>;
      throw new TypeError(`the metric ${name} is declared twice, and differently: choose another name`);
    }
    const fault = this.#fault(type, declaration);
    if (fault !== undefined) throw new TypeError(`the metric ${JSON.stringify(name)}: ${fault}`);
    const family = new MetricFamily(type, declaration, make);
    this.#families.set(name, family);
    for (const sample of sampleNames(type, name)) this.#samples.set(sample, name);
    return family;
  }

  #fault(type: MetricType, {name, help, labels = [], stability, since}: AnyDeclaration): string | undefined {
    if (!namePattern.test(name)) return 'a name has letters, digits and underscores, a letter first';
    if (reserved.test(name)) return 'names that begin with process_ or nodejs_ belong to the process';
    if (help.trim() === '') return 'it needs a help text';
    if (stability === 'STABLE' && since === undefined) return 'what is stable says since which release';
    if (new Set(labels).size < labels.length) return 'a label is named twice';
    const bad = labels.find((label) => !labelPattern.test(label) || (type === 'histogram' && label === 'le'));
    if (bad !== undefined) return `${JSON.stringify(bad)} cannot be a label`;
    const clash = sampleNames(type, name).find((sample) => this.#samples.has(sample));
    return clash === undefined ? undefined : `its samples would have names of those of ${this.#samples.get(clash)!}`;
  }
}

/** All sample names of a metric. */
function sampleNames(type: MetricType, name: string): string[] {
  return type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
