import type {Task} from '../../sdk/index.js';
import type {AnyDeclaration, MetricFamily, MetricType, TextForm} from './metric-family.js';
import {TextBlock} from './text-block.js';

/** The media types of the formats: the classic Prometheus text format, and OpenMetrics 1.0. */
export const contentTypes: Readonly<Record<TextForm, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** The blocks of each metric in the last response. */
const blocksOf = new WeakMap<MetricFamily, TextBlock[]>();

/**
 * Writes metrics, in several turns of the event loop if there are many. Series that have not changed since the last response are copied from it.
 *
 * @param before text in front of them
 */
export async function metricsText(
  families: Iterable<MetricFamily>,
  form: TextForm,
  task: Pick<Task, 'yieldIfDue'>,
  before = '',
): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [Buffer.from(before)];
  for (const family of families) {
    // A copy: another scrape may clear and set the series between two turns.
    const entries = family.series;
    if (entries.length === 0) continue;
    parts.push(Buffer.from(familyHead(family.type, family.declaration, form)));
    let blocks = blocksOf.get(family);
    if (!blocks) blocksOf.set(family, (blocks = []));
    let number = 0;
    for (let start = 0; start < entries.length; number += 1) {
      const block = TextBlock.of(family.declaration, form, entries, start, blocks[number]);
      blocks[number] = block;
      parts.push(block.bytes);
      start += block.size;
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    blocks.length = number;
  }
  if (form === 'openMetrics') parts.push(Buffer.from('# EOF\n'));
  return parts;
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
