import {isEmptySelector, labelsMatch} from '../../../../sdk/labels/index.js';
import type {PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';
import {remembered} from './pod-terms.js';

/** How pods are spread over the values of a node label. */
export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** Whether a pod of the same namespace is counted. */
  readonly selects: (labels: Readonly<Record<string, string>>) => boolean;
  /** Nothing is counted by an empty selector. */
  readonly countsNothing: boolean;
  readonly minDomains: number;
  /** Whether only nodes count on which the pod may run by its own affinity. */
  readonly honorsAffinity: boolean;
  /** Whether only nodes count whose taints the pod tolerates. */
  readonly honorsTaints: boolean;
}

/** @param action `DoNotSchedule` or `ScheduleAnyway` */
export function spreadConstraints(
  {topologySpreadConstraints}: PodSpec,
  labels: Readonly<Record<string, string>>,
  action: string,
): SpreadConstraint[] {
  return (topologySpreadConstraints ?? [])
    .filter(({whenUnsatisfiable}) => whenUnsatisfiable === action)
    .map(({maxSkew = 1, topologyKey = '', labelSelector, matchLabelKeys, minDomains, nodeAffinityPolicy, nodeTaintsPolicy}) => {
      const keys = (matchLabelKeys ?? []).filter((key) => Object.hasOwn(labels, key));
      const same = Object.fromEntries(keys.map((key) => [key, labels[key]!]));
      return {
        maxSkew,
        topologyKey,
        selects: remembered(labelSelector, (others) => labelsMatch(same, others)),
        countsNothing: isEmptySelector(labelSelector) && keys.length === 0,
        minDomains: minDomains ?? 1,
        honorsAffinity: (nodeAffinityPolicy ?? 'Honor') === 'Honor',
        honorsTaints: nodeTaintsPolicy === 'Honor',
      };
    });
}
