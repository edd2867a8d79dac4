/** A sample of `/metrics`. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Only these are read of the page, which may have many thousands of lines. */
const wanted = new Set([
  'apiserver_request_total',
  'apiserver_request_duration_seconds_sum',
  'apiserver_request_duration_seconds_count',
  'apiserver_request_duration_seconds_bucket',
  'apiserver_current_inflight_requests',
  'apiserver_longrunning_requests',
  'apiserver_watch_events_total',
  'apiserver_storage_objects',
  'apiserver_flowcontrol_current_limit_seats',
  'apiserver_flowcontrol_request_concurrency_in_use',
  'apiserver_flowcontrol_current_executing_seats',
  'apiserver_flowcontrol_current_executing_requests',
  'apiserver_flowcontrol_current_inqueue_requests',
  'apiserver_flowcontrol_dispatched_requests_total',
  'apiserver_flowcontrol_rejected_requests_total',
  'orch_store_revision',
  'orch_store_epoch_changes_total',
  'process_resident_memory_bytes',
  'nodejs_heap_size_used_bytes',
  'nodejs_array_buffers_bytes',
  'process_cpu_seconds_total',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p99_seconds',
]);

/** What the curves are made of, at one moment. */
export interface Reading {
  /** Seconds since 1970. */
  readonly at: number;
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
}

/** The samples of a page that are wanted, by name. */
export function samplesOf(text: string): ReadonlyMap<string, readonly Sample[]> {
  const samples = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [name = ''] = /^[a-z_0-9]+/.exec(line) ?? [];
    if (!wanted.has(name)) continue;
    const labels = Object.fromEntries([...line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value]));
    const list = samples.get(name) ?? [];
    samples.set(name, list);
    list.push({labels, value: Number(line.slice(line.lastIndexOf(' ') + 1))});
  }
  return samples;
}

export type Fits = (labels: Sample['labels']) => boolean;

/** The samples of a metric together. */
export function sum({samples}: Reading, name: string, fits: Fits = () => true): number {
  return (samples.get(name) ?? []).reduce((total, {labels, value}) => (fits(labels) ? total + value : total), 0);
}

/** How much a counter has grown in a second; a counter that begins anew, as after a restart, has not grown. */
export function rate(now: Reading, before: Reading, name: string, fits?: Fits): number {
  return Math.max(0, sum(now, name, fits) - sum(before, name, fits)) / (now.at - before.at);
}

/** The value below which a part of what a histogram has counted between two readings lies; null if it has counted nothing. */
export function quantile(part: number, now: Reading, before: Reading, name: string, fits: Fits): number | null {
  const counts = new Map<number, number>();
  const add = ({samples}: Reading, sign: number) => {
    for (const {labels, value} of samples.get(`${name}_bucket`) ?? []) {
      if (!fits(labels)) continue;
      const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
      counts.set(bound, (counts.get(bound) ?? 0) + sign * value);
    }
  };
  add(now, 1);
  add(before, -1);
  const buckets = [...counts].sort(([left], [right]) => left - right);
  const all = buckets.at(-1)?.[1] ?? 0;
  if (all <= 0) return null;
  let [low, below] = [0, 0];
  for (const [bound, upTo] of buckets) {
    // Within a bucket they are thought to be spread evenly; of the last one only its lower bound is known.
    if (upTo >= part * all) return bound === Infinity ? low : low + ((part * all - below) / (upTo - below || 1)) * (bound - low);
    [low, below] = [bound, upTo];
  }
  return low;
}
