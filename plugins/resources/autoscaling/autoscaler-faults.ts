import {invalid, notSupported, quantityAmount, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {
  HPAScalingRules,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerSpec,
} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import {validateMetrics, validateTargetReference, type MetricOptions, type VersionRule} from './metric-faults.js';

const selectPolicies = ['Max', 'Min', 'Disabled'];
const policyTypes = ['Pods', 'Percent'];
const longestWindow = 3600;
const longestPeriod = 1800;

export interface AutoscalerFaultOptions extends MetricOptions {
  /** Minimum of `minReplicas`: 0 if scaling to zero is allowed. */
  readonly lowestMinimum: number;
  /** What the version of what is scaled has to be. */
  readonly targetVersion: VersionRule;
  /** Whether no replicas at most are too few, or were not given at all. */
  readonly requiresMaximum: boolean;
}

/** Errors in the specification of an autoscaler. */
export function validateAutoscalerSpec(spec: HorizontalPodAutoscalerSpec, path: FieldPath, options: AutoscalerFaultOptions): FieldError[] {
  const {minReplicas, maxReplicas = 0, scaleTargetRef = {}, metrics = [], behavior} = spec;
  const faults: FieldError[] = [];
  if (isGiven(minReplicas) && minReplicas < options.lowestMinimum) {
    faults.push(invalid(path.child('minReplicas'), minReplicas, `must be greater than or equal to ${options.lowestMinimum}`));
  }
  faults.push(...maximumFaults(maxReplicas, path.child('maxReplicas'), options));
  if (isGiven(minReplicas) && maxReplicas < minReplicas) {
    faults.push(invalid(path.child('maxReplicas'), maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  return [
    ...faults,
    ...validateTargetReference(scaleTargetRef, path.child('scaleTargetRef'), options.targetVersion),
    ...validateMetrics(metrics, minReplicas, options, path.child('metrics')),
    ...(behavior ? validateBehavior(behavior, path.child('behavior')) : []),
  ];
}

function maximumFaults(maximum: number, path: FieldPath, {requiresMaximum}: AutoscalerFaultOptions): FieldError[] {
  if (maximum > 0) return [];
  if (!requiresMaximum) return [invalid(path, maximum, 'must be greater than 0')];
  return [maximum === 0 ? required(path, 'must be set and greater than 0') : invalid(path, maximum, 'must be greater than or equal to 1')];
}

function validateBehavior({scaleUp, scaleDown}: HorizontalPodAutoscalerBehavior, path: FieldPath): FieldError[] {
  return [
    ...(scaleUp ? validateRules(scaleUp, path.child('scaleUp')) : []),
    ...(scaleDown ? validateRules(scaleDown, path.child('scaleDown')) : []),
  ];
}

function validateRules(rules: HPAScalingRules, path: FieldPath): FieldError[] {
  const {stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance} = rules;
  const faults: FieldError[] = [];
  if (isGiven(tolerance) && quantityAmount(tolerance) < 0n)
    faults.push(invalid(path.child('tolerance'), tolerance, 'must be greater than or equal to 0'));
  const windowPath = path.child('stabilizationWindowSeconds');
  if (isGiven(window) && window < 0) faults.push(invalid(windowPath, window, 'must be greater than or equal to zero'));
  if (isGiven(window) && window > longestWindow) faults.push(invalid(windowPath, window, `must be less than or equal to ${longestWindow}`));
  if (isGiven(selectPolicy) && !selectPolicies.includes(selectPolicy))
    faults.push(notSupported(path.child('selectPolicy'), selectPolicy, selectPolicies));
  const policiesPath = path.child('policies');
  if (policies.length === 0) faults.push(required(policiesPath, 'must specify at least one Policy'));
  for (const [index, {type = '', value = 0, periodSeconds = 0}] of policies.entries()) {
    const at = policiesPath.index(index);
    if (!policyTypes.includes(type)) faults.push(notSupported(at.child('type'), type, policyTypes));
    if (value <= 0) faults.push(invalid(at.child('value'), value, 'must be greater than zero'));
    if (periodSeconds <= 0) faults.push(invalid(at.child('periodSeconds'), periodSeconds, 'must be greater than zero'));
    if (periodSeconds > longestPeriod)
      faults.push(invalid(at.child('periodSeconds'), periodSeconds, `must be less than or equal to ${longestPeriod}`));
  }
  return faults;
}
