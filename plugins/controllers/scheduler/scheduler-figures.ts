import type {HistogramSeries, Metrics} from '../../../sdk/index.js';

const pending = {
  name: 'scheduler_pending_pods',
  help: "Pods without a node, by where they are: 'active', 'backoff', 'unschedulable' or 'gated'.",
  stability: 'STABLE',
  since: '1.26',
  labels: ['queue'],
} as const;
const latency = {
  name: 'scheduler_scheduling_algorithm_duration_seconds',
  help: 'How long it takes to decide about a pod.',
  stability: 'ALPHA',
  buckets: Array.from({length: 15}, (_, power) => 0.0001 * 2 ** power),
} as const;

/** The metrics of the scheduler: names and labels are those of kube-scheduler. */
export class SchedulerFigures {
  readonly decided: HistogramSeries;

  constructor(metrics: Metrics, sizes: () => Readonly<Record<string, number>>) {
    this.decided = metrics.histogram(latency).with();
    const gauge = metrics.gauge(pending);
    metrics.collect(() => {
      for (const [queue, size] of Object.entries(sizes())) gauge.with(queue).set(size);
    });
  }
}
