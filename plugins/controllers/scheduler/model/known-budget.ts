import {compileSelector, isEmptySelector} from '../../../../sdk/labels/index.js';
import type {PodDisruptionBudget} from '../../../../sdk/types/unchecked/policy/v1.js';

/** What a PodDisruptionBudget allows now. */
export interface KnownBudget {
  readonly namespace: string;
  readonly selects: (labels: Readonly<Record<string, string>>) => boolean;
  readonly allowed: number;
  /** Names of pods whose disruption is counted already. */
  readonly disrupted: ReadonlySet<string>;
}

/** An empty selector, as a missing one, selects nothing here. */
export function knownBudget({metadata, spec, status}: PodDisruptionBudget): KnownBudget {
  const selector = isEmptySelector(spec?.selector) ? undefined : structuredClone(spec?.selector);
  return {
    namespace: metadata.namespace ?? '',
    selects: compileSelector(selector),
    allowed: status?.disruptionsAllowed ?? 0,
    disrupted: new Set(Object.keys(status?.disruptedPods ?? {})),
  };
}
