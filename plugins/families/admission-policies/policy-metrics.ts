import type {MetricReleases, Metrics} from '../../../sdk/index.js';

/** Kubernetes' buckets, in seconds. */
const buckets = [0.0000005, 0.001, 0.01, 0.1, 1];

/** What became of an expression, as metrics have it. */
export type ErrorType = 'no_error' | 'compile_error' | 'out_of_budget' | 'invalid_error';

/** Counts expressions of policies. @param labels further ones, in the order of the declaration */
export type CountExpression = (policy: string, binding: string, message: string | undefined, seconds: number, ...labels: string[]) => void;

/**
 * The metrics of a kind of policies, with Kubernetes' names.
 *
 * @param prefix such as `apiserver_validating_admission_policy`
 * @param what is counted, in words
 * @param labels beyond policy, binding and type of error
 * @param releases how long they can be relied on where
 */
export function policyMetrics(
  metrics: Metrics,
  prefix: string,
  what: string,
  labels: readonly string[] = [],
  releases: MetricReleases = {},
): CountExpression {
  const common = {stability: 'ALPHA', releases, labels: ['policy', 'policy_binding', 'error_type', ...labels]} as const;
  const by = `by policy and binding, and by the type of the error if there was one`;
  const total = metrics.counter({...common, name: `${prefix}_check_total`, help: `${what}, ${by}.`});
  const latency = metrics.histogram({
    ...common,
    name: `${prefix}_check_duration_seconds`,
    help: `Time that they took: ${what}, ${by}.`,
    buckets,
  });
  return (policy, binding, message, seconds, ...more) => {
    const values = [policy, binding, errorType(message), ...more];
    total.with(...values).add();
    latency.with(...values).observe(seconds);
  };
}

/** By the words of the message, as in Kubernetes. */
function errorType(message: string | undefined): ErrorType {
  if (message === undefined) return 'no_error';
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
