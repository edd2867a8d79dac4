import type {Taint, Toleration} from '../../../sdk/types/unchecked/core/v1.js';
import {tolerates} from '../../families/placement/tolerations.js';

/** How long a pod may stay on a node with these taints, in milliseconds: 0 if it does not tolerate one of them, Infinity if it tolerates all for ever. */
export function tolerationMillis(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  let least = Infinity;
  for (const taint of taints) {
    const meant = tolerations.find((toleration) => tolerates(toleration, taint));
    if (!meant) return 0;
    const {tolerationSeconds} = meant;
    if (tolerationSeconds !== undefined && tolerationSeconds !== null)
      least = Math.min(least, Math.max(0, Number(tolerationSeconds) * 1000));
  }
  return least;
}
