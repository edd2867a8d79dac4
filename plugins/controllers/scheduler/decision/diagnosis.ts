import {byBytes} from '../model/by-bytes.js';
import type {Refusal} from '../filters/filter.js';

/** Why a pod could be placed nowhere. */
export interface Diagnosis {
  /** How many nodes there are. */
  readonly nodes: number;
  readonly byNode: ReadonlyMap<string, Refusal>;
  /** Of the nodes that were not looked at. */
  readonly others: Refusal | undefined;
  /** It cannot be placed anywhere, whatever the nodes are. */
  readonly everywhere: Refusal | undefined;
  /** Names of the filters that refused it. */
  readonly refusedBy: ReadonlySet<string>;
}

/** In the words of Kubernetes: how many nodes refuse a pod for which reason. @param afterwards what was tried then, and did not help */
export function diagnosisText({nodes, byNode, others, everywhere}: Diagnosis, afterwards = ''): string {
  const parts = [`0/${nodes} nodes are available:`];
  if (everywhere) {
    parts.push(`${everywhere.reasons.join(', ')}.`);
  } else {
    const counts = new Map<string, number>();
    const count = (refused: Refusal, times: number) => {
      for (const reason of refused.reasons) counts.set(reason, (counts.get(reason) ?? 0) + times);
    };
    for (const refused of byNode.values()) count(refused, 1);
    if (others && byNode.size < nodes) count(others, nodes - byNode.size);
    const texts = [...counts].map(([reason, times]) => `${times} ${reason}`).sort(byBytes);
    if (texts.length > 0) parts.push(`${texts.join(', ')}.`);
  }
  if (afterwards !== '') parts.push(afterwards);
  return parts.join(' ');
}

/** The refusal of a node, whether it was looked at or not. */
export function refusalOf({byNode, others, everywhere}: Diagnosis, node: string): Refusal | undefined {
  return everywhere ?? byNode.get(node) ?? others;
}
