import type {Metrics} from '../../../sdk/index.js';

const labels = ['name', 'kind', 'type', 'operation'];
const buckets = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** Whose match conditions are counted. */
export interface ConditionOwner {
  /** Of the webhook or the policy. */
  readonly name: string;
  readonly kind: 'webhook' | 'policy';
  readonly type: 'admit' | 'validating' | 'validate';
}

/** Counts what the match conditions of one webhook or policy come to. */
export interface ConditionCounter {
  /** The conditions are evaluated. @returns to be called at the end */
  begin(operation: string): () => void;
  /** One of them cannot be evaluated. */
  failed(operation: string): void;
  /** The webhook is not called. */
  excluded(operation: string): void;
}

/** The metrics of match conditions, with Kubernetes' names. */
export function conditionCounters(metrics: Metrics): (owner: ConditionOwner) => ConditionCounter {
  const of = 'by the name of the webhook or policy that has it, kind (webhook or policy), type of admission and operation';
  const seconds = metrics.histogram({
    name: 'apiserver_admission_match_condition_evaluation_seconds',
    help: `Time that match conditions take, ${of}.`,
    stability: 'ALPHA',
    labels,
    buckets,
  });
  const errors = metrics.counter({
    name: 'apiserver_admission_match_condition_evaluation_errors_total',
    help: `Match conditions that could not be evaluated, ${of}.`,
    stability: 'ALPHA',
    labels,
  });
  const exclusions = metrics.counter({
    name: 'apiserver_admission_match_condition_exclusions_total',
    help: `Times that a match condition kept a webhook from being called, ${of}.`,
    stability: 'ALPHA',
    labels,
  });
  return ({name, kind, type}) => ({
    begin: (operation) => {
      const began = performance.now();
      return () => seconds.with(name, kind, type, operation).observe((performance.now() - began) / 1000);
    },
    failed: (operation) => errors.with(name, kind, type, operation).add(),
    excluded: (operation) => exclusions.with(name, kind, type, operation).add(),
  });
}
