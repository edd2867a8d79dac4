import type {HistogramDeclaration} from '../../sdk/index.js';
import type {AnyDeclaration, LabelledSeries, TextForm} from './metric-family.js';
import {Distribution, type Count, type Level} from './metric-series.js';
import {TextWriter} from './text-writer.js';

/** Minimum bytes of a block, if there are enough series: blocks of this size are sent or compressed without another copy. */
const blockBytes = 512 * 1024;

const writer = new TextWriter();

/**
 * The lines of successive series of one metric. They are kept from one scrape to the next, because few series of a server with many types change in between.
 * The bytes are never overwritten: a response may still be sending them.
 */
export class TextBlock {
  /** `sumOf` each series when the bytes were written. */
  readonly #sums: number[];
  /** End of each series in the bytes. */
  readonly #ends: number[];
  readonly #entries: readonly LabelledSeries<unknown>[];

  private constructor(
    readonly form: TextForm,
    readonly bytes: Buffer,
    entries: readonly LabelledSeries<unknown>[],
    ends: number[],
    sums: number[],
  ) {
    this.#entries = entries;
    this.#ends = ends;
    this.#sums = sums;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** A block of the series from `start` on. @param former the block in its place in the last response */
  static of(
    declaration: AnyDeclaration,
    form: TextForm,
    all: readonly LabelledSeries<unknown>[],
    start: number,
    former?: TextBlock,
  ): TextBlock {
    const known = former?.form === form ? former : undefined;
    if (known && known.#isTrue(all, start)) return known;
    const ends: number[] = [];
    const sums: number[] = [];
    const isFull = known !== undefined && known.#isFull;
    writer.reset();
    for (const entry of all.slice(start, start + (isFull ? known!.size : all.length))) {
      const place = ends.length;
      sums.push(sumOf(entry));
      if (known && known.#has(entry, place)) writer.copy(known.bytes, known.#ends[place - 1] ?? 0, known.#ends[place]!);
      else writeSeries(declaration, entry, form);
      ends.push(writer.length);
      if (!isFull && writer.length >= blockBytes) break;
    }
    return new TextBlock(form, writer.take(), all.slice(start, start + ends.length), ends, sums);
  }

  /** Whether it is large enough. It then keeps its series, so that later blocks stay in place when a number gets longer. */
  get #isFull(): boolean {
    return this.bytes.length >= blockBytes;
  }

  /** Whether it has the series in this place, unchanged. */
  #has(entry: LabelledSeries<unknown> | undefined, place: number): boolean {
    return entry !== undefined && this.#entries[place] === entry && Object.is(this.#sums[place], sumOf(entry));
  }

  /** Whether the series from `start` on are exactly its own, unchanged, and no other one would fit. */
  #isTrue(all: readonly LabelledSeries<unknown>[], start: number): boolean {
    if (!this.#isFull && all.length > start + this.size) return false;
    for (let place = 0; place < this.size; place += 1) if (!this.#has(all[start + place], place)) return false;
    return true;
  }
}

/** A number that changes with the series: the number of values of a histogram, otherwise the value. */
function sumOf({series}: LabelledSeries<unknown>): number {
  return series instanceof Distribution ? series.total : (series as Count | Level).value;
}

function writeSeries(declaration: AnyDeclaration, entry: LabelledSeries<unknown>, form: TextForm): void {
  if (entry.prefixes?.form !== form) entry.prefixes = {form, ...joined(headsOf(declaration, entry.labels, form))};
  const {heads, ends} = entry.prefixes;
  const series = entry.series as Count | Level | Distribution;
  if (!(series instanceof Distribution)) return writer.line(heads, 0, ends[0]!, series.value);
  let start = 0;
  let below = 0;
  const last = series.counts.length;
  for (let index = 0; index < last; index += 1) {
    below += series.counts[index]!;
    writer.line(heads, start, ends[index]!, below);
    start = ends[index]!;
  }
  writer.line(heads, start, ends[last]!, series.sum);
  writer.line(heads, ends[last]!, ends[last + 1]!, series.total);
}

function joined(texts: readonly string[]): {heads: Buffer; ends: readonly number[]} {
  let end = 0;
  const ends = texts.map((text) => (end += Buffer.byteLength(text)));
  return {heads: Buffer.from(texts.join('')), ends};
}

/** The text before each value of a series; for a histogram, of its buckets, sum and count. */
function headsOf(declaration: AnyDeclaration, values: readonly string[], form: TextForm): string[] {
  const {name, labels = []} = declaration;
  const pairs = labels.map((label, index) => `${label}="${escapeValue(values[index]!)}"`).join(',');
  const plain = pairs === '' ? '' : `{${pairs}}`;
  if (!declaration.buckets) return [`${name}${plain} `];
  const bounds = [...(declaration as HistogramDeclaration).buckets.map((bound) => boundText(bound, form)), '+Inf'];
  const inner = pairs === '' ? '' : `${pairs},`;
  return [...bounds.map((bound) => `${name}_bucket{${inner}le="${bound}"} `), `${name}_sum${plain} `, `${name}_count${plain} `];
}

function escapeValue(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}

/** As Go writes numbers: large and small ones with an exponent of two digits. OpenMetrics writes bounds as numbers with a fraction. */
function boundText(bound: number, form: TextForm): string {
  const text = bound !== 0 && (bound < 1e-4 || bound >= 1e6) ? bound.toExponential().replace(/e([+-])(\d)$/, 'e$10$2') : String(bound);
  return form === 'openMetrics' && Number.isInteger(bound) && !text.includes('e') ? `${text}.0` : text;
}
