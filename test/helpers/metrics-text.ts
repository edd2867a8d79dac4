/** One line of values. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric as a scrape tells it. */
export interface ScrapedMetric {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export type Scrape = ReadonlyMap<string, ScrapedMetric>;

const helpPattern = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const typePattern = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|unknown)$/;
const samplePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const suffixes: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Reads the text of a scrape, and takes nothing that the format does not allow.
 *
 * @throws Error for a line that is none, metrics and series that come twice, samples behind another metric's head, buckets that do not add up
 */
export function parseMetrics(text: string, form: 'text' | 'openMetrics' = 'text'): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const lines = text.slice(0, -1).split('\n');
  if (form === 'openMetrics' && lines.pop() !== '# EOF') throw new Error('the last line is not # EOF');
  const metrics = new Map<string, {type: string; help: string; samples: Sample[]}>();
  const seen = new Set<string>();
  let current: {name: string; type: string; help: string; samples: Sample[]} | undefined;
  let helped: {name: string; help: string} | undefined;
  for (const line of lines) {
    const help = helpPattern.exec(line);
    if (help) {
      helped = {name: help[1]!, help: help[2]!};
      continue;
    }
    const type = typePattern.exec(line);
    if (type) {
      const [, name, kind] = type as unknown as [string, string, string];
      if (helped?.name !== name) throw new Error(`the type of ${name} has no help before it`);
      if (metrics.has(name)) throw new Error(`${name} comes twice`);
      current = {name, type: kind, help: helped.help, samples: []};
      metrics.set(name, current);
      continue;
    }
    const sample = readSample(line);
    const allowed = (suffixes[current?.type ?? ''] ?? [form === 'openMetrics' && current?.type === 'counter' ? '_total' : '']).map(
      (suffix) => `${current!.name}${suffix}`,
    );
    if (!current || !allowed.includes(sample.name)) throw new Error(`a sample stands behind another metric: ${line}`);
    const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(key)) throw new Error(`a series comes twice: ${line}`);
    seen.add(key);
    if (current.type === 'counter' && !(sample.value >= 0)) throw new Error(`a counter below 0: ${line}`);
    current.samples.push(sample);
  }
  for (const [name, {type, samples}] of metrics) if (type === 'histogram') checkBuckets(name, samples);
  return metrics;
}

function readSample(line: string): Sample {
  const match = samplePattern.exec(line);
  if (!match) throw new Error(`not a line of metrics: ${line}`);
  const [, name, text = '', number] = match as unknown as [string, string, string | undefined, string];
  const labels: Record<string, string> = {};
  labelPattern.lastIndex = 0;
  while (labelPattern.lastIndex < text.length) {
    const label = labelPattern.exec(text);
    if (!label || label[1]! in labels) throw new Error(`labels cannot be read: ${line}`);
    labels[label[1]!] = label[2]!.replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
  }
  const value = number === '+Inf' ? Infinity : number === '-Inf' ? -Infinity : number === 'NaN' ? Number.NaN : Number(number);
  if (Number.isNaN(value) && number !== 'NaN') throw new Error(`not a number: ${line}`);
  return {name, labels, value};
}

function checkBuckets(name: string, samples: readonly Sample[]): void {
  const buckets = new Map<string, Sample[]>();
  const counts = new Map<string, number>();
  for (const sample of samples) {
    const {le: _bound, ...rest} = sample.labels;
    const key = JSON.stringify(Object.entries(rest).sort());
    if (sample.name === `${name}_bucket`) {
      const series = buckets.get(key);
      if (series) series.push(sample);
      else buckets.set(key, [sample]);
    }
    if (sample.name === `${name}_count`) counts.set(key, sample.value);
  }
  for (const [key, series] of buckets) {
    const bounds = series.map(({labels}) => (labels['le'] === '+Inf' ? Infinity : Number(labels['le'])));
    const ascending = (values: readonly number[]) => values.every((value, index) => index === 0 || value >= values[index - 1]!);
    if (!ascending(bounds) || bounds.at(-1) !== Infinity) throw new Error(`the bounds of ${name}${key} are not in order`);
    if (!ascending(series.map(({value}) => value))) throw new Error(`the buckets of ${name}${key} do not add up`);
    if (series.at(-1)!.value !== counts.get(key)) throw new Error(`the count of ${name}${key} is not that of its last bucket`);
  }
}

/** Samples of that name whose labels include those that are given. */
export function samplesOf(scrape: Scrape, name: string, labels: Readonly<Record<string, string>> = {}): Sample[] {
  const all = [...scrape.values()].flatMap(({samples}) => samples.filter((sample) => sample.name === name));
  return all.filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
}

/** The sum of these samples; 0 where there are none. */
export function valueOf(scrape: Scrape, name: string, labels?: Readonly<Record<string, string>>): number {
  return samplesOf(scrape, name, labels).reduce((sum, {value}) => sum + value, 0);
}
