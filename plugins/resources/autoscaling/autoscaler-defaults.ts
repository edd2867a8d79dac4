import {isGiven} from '../../../sdk/validation/index.js';
import type {Behavior, ScalingRules} from './autoscaling-types.js';

/** Share of the requested CPU time that pods should use where an autoscaler names no metric. */
export const defaultCpuUtilization = 80;

/** Fills in what a behaviour leaves open: up at once, by 4 pods or by as many as there are in 15 seconds; down as far as need be. */
export function defaultBehavior(behavior: Behavior): void {
  behavior.scaleUp = withDefaults(behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      {type: 'Pods', value: 4, periodSeconds: 15},
      {type: 'Percent', value: 100, periodSeconds: 15},
    ],
  });
  behavior.scaleDown = withDefaults(behavior.scaleDown, {
    selectPolicy: 'Max',
    policies: [{type: 'Percent', value: 100, periodSeconds: 15}],
  });
}

function withDefaults(rules: ScalingRules | null | undefined, defaults: ScalingRules): ScalingRules {
  const result: ScalingRules = {...rules};
  if (!isGiven(result.stabilizationWindowSeconds) && isGiven(defaults.stabilizationWindowSeconds)) {
    result.stabilizationWindowSeconds = defaults.stabilizationWindowSeconds;
  }
  result.selectPolicy ??= defaults.selectPolicy;
  result.policies ??= defaults.policies;
  return result;
}
