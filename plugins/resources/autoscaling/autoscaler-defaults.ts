import {isGiven} from '../../../sdk/validation/index.js';
import type {HPAScalingRules, HorizontalPodAutoscalerBehavior} from '../../../sdk/types/unchecked/autoscaling/v2.js';

/** Target CPU utilization, as a percentage of the request, if an autoscaler names no metric. */
export const defaultCpuUtilization = 80;

/** Fills in defaults of a behavior: scale up immediately, by 4 pods or 100 percent every 15 seconds; scale down as far as needed. */
export function defaultBehavior(behavior: HorizontalPodAutoscalerBehavior): void {
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

function withDefaults(rules: HPAScalingRules | null | undefined, defaults: HPAScalingRules): HPAScalingRules {
  const result: HPAScalingRules = {...rules};
  if (!isGiven(result.stabilizationWindowSeconds) && isGiven(defaults.stabilizationWindowSeconds)) {
    result.stabilizationWindowSeconds = defaults.stabilizationWindowSeconds;
  }
  result.selectPolicy ??= defaults.selectPolicy;
  result.policies ??= defaults.policies;
  return result;
}
