import type {HPAScalingRules} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import type {AutoscalerHistory} from './scaling-history.js';

/** How many replicas there are to be, and what limits them. */
export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

/** The bounds of an autoscaler. */
export interface Bounds {
  readonly current: number;
  readonly min: number;
  readonly max: number;
}

const mostReplicas = 2 ** 31 - 1;
const texts: Readonly<Record<string, string>> = {
  ScaleUpLimit: 'the desired replica count is increasing faster than the maximum scale rate',
  TooManyReplicas: 'the desired replica count is more than the maximum replica count',
  ScaleDownLimit: 'the desired replica count is decreasing faster than the maximum scale rate',
  TooFewReplicas: 'the desired replica count is less than the minimum replica count',
  DesiredWithinRange: 'the desired count is within the acceptable range',
};

/** What is recommended, within the bounds of an autoscaler without behaviour: at most twice as many replicas, or four. */
export function limitPlainly(recommended: number, {current, min, max}: Bounds): Limited {
  const rate = Math.max(2 * current, 4);
  const top = Math.min(max, rate);
  if (recommended < min) return limited(min, 'TooFewReplicas');
  if (recommended > top) return limited(top, max > rate ? 'ScaleUpLimit' : 'TooManyReplicas');
  return limited(recommended, 'DesiredWithinRange');
}

/** What is recommended, within the bounds and rates of an autoscaler with behaviour. @param now in milliseconds since 1970 */
export function limitByRates(
  recommended: number,
  {current, min, max}: Bounds,
  rules: {readonly up: HPAScalingRules; readonly down: HPAScalingRules},
  history: AutoscalerHistory,
  now: number,
): Limited {
  if (recommended > current) {
    const rate = Math.max(highest(current, rules.up, history, now), current);
    const top = Math.min(max, rate);
    if (recommended > top) return limited(top, max > rate ? 'ScaleUpLimit' : 'TooManyReplicas');
  } else if (recommended < current) {
    const rate = Math.min(lowest(current, rules.down, history, now), current);
    const bottom = Math.max(min, rate);
    if (recommended < bottom) return limited(bottom, min < rate ? 'ScaleDownLimit' : 'TooFewReplicas');
  }
  return limited(recommended, 'DesiredWithinRange');
}

function limited(replicas: number, reason: string): Limited {
  return {replicas, reason, message: texts[reason]!};
}

/** The most replicas that policies allow to be added up to. */
function highest(current: number, {selectPolicy, policies}: HPAScalingRules, history: AutoscalerHistory, now: number): number {
  if (selectPolicy === 'Disabled') return current;
  const proposals = (policies ?? []).map(({type, value = 0, periodSeconds = 0}) => {
    const start = atStart(current, periodSeconds, history, now);
    // Rounded up, or small workloads would never grow.
    return type === 'Pods' ? start + value : type === 'Percent' ? Math.ceil(start * (1 + value / 100)) : 0;
  });
  if (selectPolicy === 'Min') return Math.min(mostReplicas, ...proposals);
  return Math.max(-mostReplicas, ...proposals);
}

/** The fewest replicas that policies allow to be removed down to. */
function lowest(current: number, {selectPolicy, policies}: HPAScalingRules, history: AutoscalerHistory, now: number): number {
  if (selectPolicy === 'Disabled') return current;
  const proposals = (policies ?? []).map(({type, value = 0, periodSeconds = 0}) => {
    const start = atStart(current, periodSeconds, history, now);
    return type === 'Pods' ? start - value : type === 'Percent' ? Math.trunc(start * (1 - value / 100)) : 0;
  });
  // The lesser change leaves more replicas.
  if (selectPolicy === 'Min') return Math.max(-mostReplicas, ...proposals);
  return Math.min(mostReplicas, ...proposals);
}

/** How many replicas there were when a period began, as far as the autoscaler has changed them. */
function atStart(current: number, periodSeconds: number, {added, removed}: AutoscalerHistory, now: number): number {
  const start = now - periodSeconds * 1000;
  return current - added.sumSince(start) + removed.sumSince(start);
}
