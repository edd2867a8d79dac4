import type {CounterSeries, Gauge, Logger, Metric} from '../../../sdk/index.js';
import {MetricRegistry} from '../../metrics/metric-registry.js';

const stability = {stability: 'ALPHA', releases: {beta: '1.28', stable: '1.29'}} as const;

/** How health checks came out whenever somebody asked: what `/metrics/slis` shows, in the names of Kubernetes. */
export class HealthFigures {
  readonly metrics: MetricRegistry;
  readonly #last: Gauge;
  readonly #total: Metric<CounterSeries>;

  constructor(logger: Logger, release: string) {
    this.metrics = new MetricRegistry(logger, release);
    this.#last = this.metrics.gauge({
      name: 'kubernetes_healthcheck',
      help: 'Whether a health check passed when it was last asked for, by its name and path.',
      labels: ['name', 'type'],
      ...stability,
    });
    this.#total = this.metrics.counter({
      name: 'kubernetes_healthchecks_total',
      help: 'Results of health checks, by their name and path.',
      labels: ['name', 'type', 'status'],
      ...stability,
    });
  }

  observe(name: string, endpoint: string, hasPassed: boolean): void {
    this.#last.with(name, endpoint).set(hasPassed ? 1 : 0);
    this.#total.with(name, endpoint, hasPassed ? 'success' : 'error').add(1);
  }
}
