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
    this.#calls = metrics.counter(declared('webhook_evaluations_total', 'Round-trips to authorization webhooks.', byResult));
    this.#durations = metrics.histogram({...declared('webhook_duration_seconds', 'Request latency in seconds.', byResult), buckets});
    this.#open = metrics.counter(
      declared('webhook_evaluations_fail_open_total', 'NoOpinion results due to webhook timeout or error.', byResult),
    );
    this.#exclusions = metrics.counter(
      declared(
        'match_condition_exclusions_total',
        'Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
        byType,
      ),
    );
    this.#errors = metrics.counter(
      declared(
        'match_condition_evaluation_errors_total',
        'Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
        byType,
      ),
    );
    this.#evaluations = metrics.histogram({
      ...declared(
        'match_condition_evaluation_seconds',
        'Authorization match condition evaluation time in seconds, split by authorizer type and name.',
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
