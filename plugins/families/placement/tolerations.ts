import type {Taint, Toleration} from '../../../sdk/types/unchecked/core/v1.js';

/** Effects of taints that keep pods from being placed. */
const keepsAway = new Set(['NoSchedule', 'NoExecute']);

/** Whether a toleration is meant for a taint. An empty key with `Exists` is meant for all. */
export function tolerates({key, operator, value, effect}: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  switch (operator) {
    case 'Exists':
      return true;
    case 'Lt':
    case 'Gt':
      return isCompared(operator, value ?? '', taint.value ?? '');
    default:
      return (value ?? '') === (taint.value ?? '');
  }
}

const whole = /^(?:0|-?[1-9][0-9]*)$/;

/** Whether the number of a taint is less or greater than that of a toleration. */
function isCompared(operator: string, wanted: string, given: string): boolean {
  if (!whole.test(wanted) || !whole.test(given)) return false;
  const [left, right] = [BigInt(given), BigInt(wanted)];
  return operator === 'Lt' ? left < right : left > right;
}

/** Whether a node's taints keep a pod away. */
export function isKeptAway(taints: readonly Taint[], tolerations: readonly Toleration[]): boolean {
  return taints.some((taint) => keepsAway.has(taint.effect ?? '') && !tolerations.some((each) => tolerates(each, taint)));
}

/** How many taints say that the pod would better be elsewhere. */
export function unwelcomeTaints(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let count = 0;
  for (const taint of taints) {
    if (taint.effect !== 'PreferNoSchedule') continue;
    if (!tolerations.some((each) => tolerates(each, taint))) count += 1;
  }
  return count;
}
