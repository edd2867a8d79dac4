import type {CounterSeries, HistogramSeries, Metric, MetricDeclaration, Metrics} from '../../../sdk/index.js';

/** How a call of a service ended. */
export type CallResult = 'success' | 'timeout' | 'error' | 'canceled';

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const type = 'Webhook';

/** The metrics of kube-apiserver about authorization webhooks, by the name of the webhook. */
export class WebhookFigures {
  readonly #calls: Metric<CounterSeries>;
  readonly #durations: Metric<HistogramSeries>;
  readonly #open: Metric<CounterSeries>;
  readonly #exclusions: Metric<CounterSeries>;
  readonly #errors: Metric<CounterSeries>;
  readonly #evaluations: Metric<HistogramSeries>;

  constructor(metrics: Metrics) {
    const declared = (name: string, help: string, labels: readonly string[]): MetricDeclaration => ({
      name: `apiserver_authorization_${name}`,
      help,
      stability: 'ALPHA',
      labels,
    });
    const byResult = ['name', 'result'];
    const byType = ['type', 'name'];
    this.#calls = metrics.counter(declared('webhook_evaluations_total', 'Calls of authorization webhooks, by name and result.', byResult));
    this.#durations = metrics.histogram({
      ...declared('webhook_duration_seconds', 'Time that calls of authorization webhooks took, by name and result.', byResult),
      buckets,
    });
    this.#open = metrics.counter(
      declared(
        'webhook_evaluations_fail_open_total',
        'Requests that other authorizers decided because a webhook failed, by its name and the result of the call.',
        byResult,
      ),
    );
    this.#exclusions = metrics.counter(
      declared(
        'match_condition_exclusions_total',
        'Times that a match condition kept an authorization webhook from being called, by type and name.',
        byType,
      ),
    );
    this.#errors = metrics.counter(
      declared(
        'match_condition_evaluation_errors_total',
        'Match conditions of authorization webhooks that could not be evaluated, by type and name.',
        byType,
      ),
    );
    this.#evaluations = metrics.histogram({
      ...declared(
        'match_condition_evaluation_seconds',
        'Time that match conditions of authorization webhooks took, by type and name.',
        byType,
      ),
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    });
  }

  called(name: string, result: CallResult, seconds: number): void {
    this.#calls.with(name, result).add();
    this.#durations.with(name, result).observe(seconds);
  }

  /** A failure left the decision to others. */
  failedOpen(name: string, result: CallResult): void {
    this.#open.with(name, result).add();
  }

  evaluated(name: string, outcome: 'matches' | 'excluded' | 'error', seconds: number): void {
    this.#evaluations.with(type, name).observe(seconds);
    if (outcome === 'excluded') this.#exclusions.with(type, name).add();
    if (outcome === 'error') this.#errors.with(type, name).add();
  }
}
