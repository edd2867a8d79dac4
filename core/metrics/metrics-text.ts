import {setImmediate as nextTurn} from 'node:timers/promises';
import type {HistogramDeclaration} from '../../sdk/index.js';
import type {AnyDeclaration, LabelledSeries, MetricFamily, MetricType, TextForm} from './metric-family.js';
import {Distribution, type Count, type Level} from './metric-series.js';

/** The media types of the forms: what Prometheus has always read, and OpenMetrics 1.0. */
export const contentTypes: Readonly<Record<TextForm, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** How long a turn of the event loop writes, in milliseconds. */
const turnMillis = 2;

/** Writes metrics, in several turns of the event loop when there are many. */
export async function metricsText(families: Iterable<MetricFamily>, form: TextForm): Promise<string> {
  const parts: string[] = [];
  let began = performance.now();
  for (const family of families) {
    if (family.size === 0) continue;
    parts.push(familyHead(family.type, family.declaration, form));
    for (const entry of family.series) {
      parts.push(seriesText(family, entry, form));
      if (parts.length % 64 !== 0 || performance.now() - began < turnMillis) continue;
      await nextTurn();
      began = performance.now();
    }
  }
  if (form === 'openMetrics') parts.push('# EOF\n');
  return parts.join('');
}

function familyHead(type: MetricType, {name, help, stability, deprecated}: AnyDeclaration, form: TextForm): string {
  const marked = `[${stability}] ${deprecated ? `(Deprecated since ${deprecated.since}.0) ` : ''}${help}`;
  const escaped = marked.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  if (form === 'text' || type !== 'counter') return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n`;
  // A counter's samples end in _total there; one that is named otherwise keeps its name, and loses its type.
  const isTotal = name.endsWith('_total');
  const shown = isTotal ? name.slice(0, -'_total'.length) : name;
  return `# HELP ${shown} ${escaped.replaceAll('"', '\\"')}\n# TYPE ${shown} ${isTotal ? 'counter' : 'unknown'}\n`;
}

/** The lines of a series; those of one that has not changed are kept for the next who asks for the same form. */
function seriesText({declaration}: MetricFamily, entry: LabelledSeries<unknown>, form: TextForm): string {
  const series = entry.series as Count | Level | Distribution;
  const version = series instanceof Distribution ? series.count : series.value;
  const {told} = entry;
  if (told?.form === form && Object.is(told.version, version)) return told.text;
  const pairs = told?.pairs ?? pairsOf(declaration.labels ?? [], entry.labels);
  const plain = pairs === '' ? declaration.name : `${declaration.name}{${pairs}}`;
  const text =
    series instanceof Distribution
      ? distributionText(series, declaration as HistogramDeclaration, pairs, form)
      : `${plain} ${numberText(series.value)}\n`;
  entry.told = {form, version, pairs, text};
  return text;
}

function distributionText({counts, sum}: Distribution, {name, buckets}: HistogramDeclaration, pairs: string, form: TextForm): string {
  const head = `${name}_bucket{${pairs}${pairs === '' ? '' : ','}le="`;
  // Joining an array is faster than adding up strings by far.
  const pieces: string[] = [];
  let below = 0;
  for (let index = 0; index < counts.length; index += 1) {
    below += counts[index]!;
    pieces.push(head, index < buckets.length ? boundText(buckets[index]!, form) : '+Inf', '"} ', String(below), '\n');
  }
  const labels = pairs === '' ? '' : `{${pairs}}`;
  pieces.push(`${name}_sum${labels} ${numberText(sum)}\n${name}_count${labels} ${below}\n`);
  return pieces.join('');
}

function pairsOf(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeValue(values[index]!)}"`).join(',');
}

function escapeValue(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}

/** OpenMetrics writes bounds as numbers with a fraction. */
function boundText(bound: number, form: TextForm): string {
  const text = numberText(bound);
  return form === 'openMetrics' && Number.isInteger(bound) && !text.includes('e') ? `${text}.0` : text;
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}
