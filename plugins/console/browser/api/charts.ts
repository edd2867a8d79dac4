import {quantile, rate, sum, type Fits, type Reading} from './samples.js';

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

const verbs = ['GET', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const reads = new Set(['GET', 'LIST']);
const lasting = new Set(['WATCH', 'CONNECT', 'PROXY']);

const rateOf =
  (name: string, fits?: Fits): Curve['value'] =>
  (now, before) =>
    rate(now, before, name, fits);
const present =
  (name: string, scale = 1, fits?: Fits): Curve['value'] =>
  (now) =>
    sum(now, name, fits) * scale;

function meanMillis(verb: string): Curve['value'] {
  return (now, before) => {
    const ofVerb: Fits = (labels) => labels['verb'] === verb;
    const grown = (name: string) => sum(now, name, ofVerb) - sum(before, name, ofVerb);
    const count = grown('apiserver_request_duration_seconds_count');
    return count > 0 ? (grown('apiserver_request_duration_seconds_sum') / count) * 1000 : null;
  };
}

function slowestMillis(verb: string): Curve['value'] {
  return (now, before) => {
    const seconds = quantile(0.99, now, before, 'apiserver_request_duration_seconds', (labels) => labels['verb'] === verb);
    return seconds === null ? null : seconds * 1000;
  };
}

/** A new history begins far above the last one: that is no commit. */
const commits: Curve['value'] = (now, before) =>
  rate(now, before, 'orch_store_epoch_changes_total') > 0 ? null : rate(now, before, 'orch_store_revision');

/** What the page of the server shows. */
export const charts: readonly Chart[] = [
  {
    title: 'Requests',
    unit: 'per second',
    curves: [
      {name: 'reads', value: rateOf('apiserver_request_total', ({verb = ''}) => reads.has(verb))},
      {name: 'writes', value: rateOf('apiserver_request_total', ({verb = ''}) => !reads.has(verb) && !lasting.has(verb))},
      {name: 'refused', value: rateOf('apiserver_request_total', ({code = ''}) => /^[45]/.test(code))},
    ],
  },
  {title: 'Latency, mean', unit: 'ms', curves: verbs.map((verb) => ({name: verb, value: meanMillis(verb)}))},
  {title: 'Latency, 99th percentile', unit: 'ms', curves: verbs.map((verb) => ({name: verb, value: slowestMillis(verb)}))},
  {
    title: 'Under way',
    unit: 'requests',
    curves: [
      {name: 'short', value: present('apiserver_current_inflight_requests')},
      {name: 'watches', value: present('apiserver_longrunning_requests', 1, ({verb}) => verb === 'WATCH')},
      {name: 'waiting for seats', value: present('apiserver_flowcontrol_current_inqueue_requests')},
    ],
  },
  {
    title: 'Changes',
    unit: 'per second',
    curves: [
      {name: 'commits', value: commits},
      {name: 'events sent to watches', value: rateOf('apiserver_watch_events_total')},
    ],
  },
  {
    title: 'Memory',
    unit: 'MB',
    curves: [
      {name: 'resident', value: present('process_resident_memory_bytes', 1e-6)},
      {name: 'heap', value: present('nodejs_heap_size_used_bytes', 1e-6)},
      {name: 'buffers', value: present('nodejs_array_buffers_bytes', 1e-6)},
    ],
  },
  {title: 'Processor', unit: '%', curves: [{name: 'used', value: (now, before) => rate(now, before, 'process_cpu_seconds_total') * 100}]},
  {
    title: 'Event loop',
    unit: 'ms',
    curves: [
      {name: 'delay, median', value: present('nodejs_eventloop_lag_p50_seconds', 1000)},
      {name: 'delay, 99th percentile', value: present('nodejs_eventloop_lag_p99_seconds', 1000)},
    ],
  },
];

/** What a priority level does. */
export interface LevelFigures {
  readonly name: string;
  readonly seats: number;
  readonly inUse: number;
  readonly executing: number;
  readonly waiting: number;
  /** Per second. */
  readonly served: number;
  readonly refused: number;
}

/** The priority levels of the latest reading; empty where requests are not scheduled. */
export function levelsOf(readings: readonly Reading[]): readonly LevelFigures[] {
  const now = readings.at(-1);
  if (!now) return [];
  const before = readings.at(-2) ?? {at: now.at - 1, samples: now.samples};
  const limits = now.samples.get('apiserver_flowcontrol_current_limit_seats') ?? [];
  return limits
    .map(({labels, value: seats}): LevelFigures => {
      const name = labels['priority_level'] ?? '';
      const ofLevel: Fits = (other) => other['priority_level'] === name;
      const figure = (metric: string) => sum(now, `apiserver_flowcontrol_${metric}`, ofLevel);
      const perSecond = (metric: string) => rate(now, before, `apiserver_flowcontrol_${metric}`, ofLevel);
      return {
        name,
        seats,
        // The one or the other, by the release.
        inUse: Math.max(figure('current_executing_seats'), figure('request_concurrency_in_use')),
        executing: figure('current_executing_requests'),
        waiting: figure('current_inqueue_requests'),
        served: perSecond('dispatched_requests_total'),
        refused: perSecond('rejected_requests_total'),
      };
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Stored objects by type, most first; of types that have been asked for. */
export function objectCounts(reading: Reading | undefined): readonly {readonly resource: string; readonly objects: number}[] {
  return (reading?.samples.get('apiserver_storage_objects') ?? [])
    .map(({labels, value}) => ({resource: labels['resource'] ?? '', objects: value}))
    .sort((left, right) => right.objects - left.objects);
}
