import type {CounterSeries, GaugeSeries, HistogramDeclaration, HistogramSeries, MetricDeclaration, Metrics} from '../contracts/metrics.js';

const ofQueue = {stability: 'ALPHA', labels: ['name'], releases: {beta: '1.36'}} as const;
/** As Go multiplies them. */
const buckets = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 1e-3, 0.01, 0.1, 1, 10];

/** The metrics of work queues: names and labels are those of Kubernetes. */
export const queueMetrics = {
  depth: {...ofQueue, name: 'workqueue_depth', help: 'Names that wait to be worked on.'},
  adds: {...ofQueue, name: 'workqueue_adds_total', help: 'Names put into the queue.'},
  waited: {...ofQueue, name: 'workqueue_queue_duration_seconds', help: 'How long a name waits until it is worked on.', buckets},
  worked: {...ofQueue, name: 'workqueue_work_duration_seconds', help: 'How long the work on a name takes.', buckets},
  retries: {...ofQueue, name: 'workqueue_retries_total', help: 'Work that failed and is tried again.'},
  unfinished: {
    ...ofQueue,
    name: 'workqueue_unfinished_work_seconds',
    help: 'How long the names have been worked on together that are worked on now.',
  },
  longest: {
    ...ofQueue,
    name: 'workqueue_longest_running_processor_seconds',
    help: 'How long the work has taken that began first of what is under way.',
  },
} as const satisfies Record<string, MetricDeclaration | HistogramDeclaration>;

/** The metrics of one work queue. */
export class QueueFigures {
  readonly depth: GaugeSeries;
  readonly adds: CounterSeries;
  readonly waited: HistogramSeries;
  readonly worked: HistogramSeries;
  readonly retries: CounterSeries;

  /**
   * @param name of the queue, unique in the server
   * @param begun when the work began that is under way, by `performance.now()`; asked at each scrape
   */
  constructor(metrics: Metrics, name: string, begun: () => Iterable<number>) {
    this.depth = metrics.gauge(queueMetrics.depth).with(name);
    this.adds = metrics.counter(queueMetrics.adds).with(name);
    this.waited = metrics.histogram(queueMetrics.waited).with(name);
    this.worked = metrics.histogram(queueMetrics.worked).with(name);
    this.retries = metrics.counter(queueMetrics.retries).with(name);
    const [unfinished, longest] = [queueMetrics.unfinished, queueMetrics.longest].map((metric) => metrics.gauge(metric).with(name));
    metrics.collect(() => {
      const now = performance.now();
      const seconds = [...begun()].map((since) => (now - since) / 1000);
      unfinished!.set(seconds.reduce((sum, each) => sum + each, 0));
      longest!.set(Math.max(0, ...seconds));
    });
  }
}
