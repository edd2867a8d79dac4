import {request} from './request.js';

/** A sample of `/metrics`. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Only these are read of the page, which may have many thousands of lines. */
const wanted = new Set([
  'apiserver_request_total',
  'apiserver_request_duration_seconds_sum',
  'apiserver_request_duration_seconds_count',
  'apiserver_current_inflight_requests',
  'apiserver_longrunning_requests',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
  'nodejs_eventloop_lag_p99_seconds',
]);

/** What the curves are made of, at one moment. */
export interface Reading {
  /** Seconds since 1970. */
  readonly at: number;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/** @throws Refusal */
export async function readMetrics(signal: AbortSignal): Promise<Reading> {
  const text = await (await request('/metrics', {accept: 'text/plain', signal})).text();
  const samples = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name = ''] = /^([a-z_]+)/.exec(line) ?? [];
    if (!wanted.has(name)) continue;
    const labels = Object.fromEntries([...line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value]));
    const list = samples.get(name) ?? [];
    samples.set(name, list);
    list.push({labels, value: Number(line.slice(line.lastIndexOf(' ') + 1))});
  }
  return {at: Date.now() / 1000, samples};
}

const long = new Set(['WATCH', 'CONNECT', 'PROXY']);
const sum = (reading: Reading, name: string, fits: (labels: Sample['labels']) => boolean = () => true) =>
  (reading.samples.get(name) ?? []).reduce((total, {labels, value}) => (fits(labels) ? total + value : total), 0);

/** A curve: its name, and its value from one reading to the next. */
export interface Curve {
  readonly name: string;
  value(now: Reading, before: Reading): number | null;
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
}

const rate =
  (name: string, fits?: (labels: Sample['labels']) => boolean): Curve['value'] =>
  (now, before) =>
    Math.max(0, sum(now, name, fits) - sum(before, name, fits)) / (now.at - before.at);
const present =
  (name: string, scale = 1, fits?: (labels: Sample['labels']) => boolean): Curve['value'] =>
  (now) =>
    sum(now, name, fits) * scale;
const latency =
  (verb: string): Curve['value'] =>
  (now, before) => {
    const of = (labels: Sample['labels']) => labels['verb'] === verb;
    const count = sum(now, 'apiserver_request_duration_seconds_count', of) - sum(before, 'apiserver_request_duration_seconds_count', of);
    const seconds = sum(now, 'apiserver_request_duration_seconds_sum', of) - sum(before, 'apiserver_request_duration_seconds_sum', of);
    return count > 0 ? (seconds / count) * 1000 : null;
  };

/** What the page of the server shows. */
export const charts: readonly Chart[] = [
  {
    title: 'Requests',
    unit: 'per second',
    curves: [
      {name: 'reads', value: rate('apiserver_request_total', ({verb = ''}) => ['GET', 'LIST'].includes(verb))},
      {name: 'writes', value: rate('apiserver_request_total', ({verb = ''}) => !['GET', 'LIST'].includes(verb) && !long.has(verb))},
      {name: 'refused', value: rate('apiserver_request_total', ({code = ''}) => /^[45]/.test(code))},
    ],
  },
  {
    title: 'Mean latency',
    unit: 'ms',
    curves: ['GET', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE'].map((verb) => ({name: verb, value: latency(verb)})),
  },
  {
    title: 'In flight',
    unit: 'requests',
    curves: [
      {name: 'short', value: present('apiserver_current_inflight_requests')},
      {name: 'watches', value: present('apiserver_longrunning_requests', 1, ({verb}) => verb === 'WATCH')},
    ],
  },
  {title: 'Memory', unit: 'MB', curves: [{name: 'resident', value: present('process_resident_memory_bytes', 1e-6)}]},
  {title: 'Processor', unit: '%', curves: [{name: 'used', value: (now, before) => rate('process_cpu_seconds_total')(now, before)! * 100}]},
  {title: 'Event loop', unit: 'ms', curves: [{name: 'delay, 99th percentile', value: present('nodejs_eventloop_lag_p99_seconds', 1000)}]},
];
