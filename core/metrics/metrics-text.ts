import {setImmediate as nextTurn} from 'node:timers/promises';
import type {HistogramDeclaration} from '../../sdk/index.js';
import type {AnyDeclaration, LabelledSeries, MetricFamily, MetricType, TextForm} from './metric-family.js';
import {BucketLines} from './bucket-lines.js';
import {Distribution, type Count, type Level} from './metric-series.js';
import {TextWriter} from './text-writer.js';

/** The media types of the formats: the classic Prometheus text format, and OpenMetrics 1.0. */
export const contentTypes: Readonly<Record<TextForm, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Milliseconds of writing per turn of the event loop. */
const turnMillis = 2;

/**
 * Writes metrics, in several turns of the event loop if there are many.
 *
 * @param before the text that precedes them
 */
export async function metricsText(families: Iterable<MetricFamily>, form: TextForm, before = ''): Promise<readonly Buffer[]> {
  const writer = new TextWriter();
  writer.text(before);
  let began = performance.now();
  let written = 0;
  for (const family of families) {
    if (family.size === 0) continue;
    writer.text(familyHead(family.type, family.declaration, form));
    // A copy, because another response may clear and set the series between two turns.
    for (const entry of [...family.series]) {
      writeSeries(writer, family.declaration, entry, form);
      if (++written % 64 !== 0 || performance.now() - began < turnMillis) continue;
      await nextTurn();
      began = performance.now();
    }
  }
  if (form === 'openMetrics') writer.text('# EOF\n');
  return writer.parts();
}

function familyHead(type: MetricType, {name, help, stability, deprecated}: AnyDeclaration, form: TextForm): string {
  const marked = `[${stability}] ${deprecated ? `(Deprecated since ${deprecated.since}.0) ` : ''}${help}`;
  const escaped = marked.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  if (form === 'text' || type !== 'counter') return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n`;
  // OpenMetrics requires the samples of a counter to end in _total. A counter with another name keeps it and becomes untyped.
  const isTotal = name.endsWith('_total');
  const shown = isTotal ? name.slice(0, -'_total'.length) : name;
  return `# HELP ${shown} ${escaped.replaceAll('"', '\\"')}\n# TYPE ${shown} ${isTotal ? 'counter' : 'unknown'}\n`;
}

/** The text before each value of a series is kept for later responses in the same format; it is most of the text of histograms. */
function writeSeries(writer: TextWriter, declaration: AnyDeclaration, entry: LabelledSeries<unknown>, form: TextForm): void {
  if (entry.told?.form !== form) entry.told = {form, ...joined(headsOf(declaration, entry.labels, form))};
  const {heads, ends} = entry.told;
  const series = entry.series as Count | Level | Distribution;
  if (!(series instanceof Distribution)) return writer.line(heads, 0, ends[0]!, series.value);
  const {length} = series.counts;
  const buckets = (entry.told.buckets ??= new BucketLines(heads, ends.slice(0, length)));
  writer.bytes(buckets.with(series.counts, series.total));
  writer.line(heads, ends[length - 1]!, ends[length]!, series.sum);
  writer.line(heads, ends[length]!, ends[length + 1]!, series.total);
}

function joined(texts: readonly string[]): {heads: Buffer; ends: readonly number[]} {
  let end = 0;
  const ends = texts.map((text) => (end += Buffer.byteLength(text)));
  return {heads: Buffer.from(texts.join('')), ends};
}

/** The texts before the values of a series; for a histogram those of its buckets, sum and count. */
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

/** OpenMetrics writes bounds as numbers with a fraction. */
function boundText(bound: number, form: TextForm): string {
  const text = String(bound);
  return form === 'openMetrics' && Number.isInteger(bound) && !text.includes('e') ? `${text}.0` : text;
}
