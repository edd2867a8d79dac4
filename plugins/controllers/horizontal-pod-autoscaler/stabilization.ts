import type {HPAScalingRules} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import type {AutoscalerHistory} from './scaling-history.js';

/** A recommendation in the light of those before it; `reason` and `message` say why it is another, if it is. */
export interface Stabilized {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const texts = {
  ScaleUpStabilized: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
  ScaleDownStabilized: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};

/** Of an autoscaler without behaviour: the highest recommendation of a while. Remembers the new one. @param now in milliseconds since 1970 */
export function stabilizePlainly(recommended: number, {recommendations}: AutoscalerHistory, windowMillis: number, now: number): Stabilized {
  // One millisecond earlier: those that are just as old as the window count.
  const replicas = Math.max(recommended, ...recommendations.since(now - windowMillis - 1));
  recommendations.add(now, recommended, now - windowMillis);
  return {replicas, reason: 'ScaleDownStabilized', message: texts.ScaleDownStabilized};
}

/** Of an autoscaler with behaviour: as little changed as the recommendations of its windows have in common. Remembers the new one. */
export function stabilizeByRules(
  recommended: number,
  current: number,
  rules: {readonly up: HPAScalingRules; readonly down: HPAScalingRules},
  {recommendations}: AutoscalerHistory,
  now: number,
): Stabilized {
  const [up, down] = [rules.up, rules.down].map(({stabilizationWindowSeconds}) => now - (stabilizationWindowSeconds ?? 0) * 1000) as [
    number,
    number,
  ];
  const least = Math.min(recommended, ...recommendations.since(up));
  const most = Math.max(recommended, ...recommendations.since(down));
  recommendations.add(now, recommended, Math.min(up, down));
  const reason = recommended >= current ? 'ScaleUpStabilized' : 'ScaleDownStabilized';
  return {replicas: Math.min(Math.max(current, least), most), reason, message: texts[reason]};
}
