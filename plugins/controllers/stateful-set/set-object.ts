import type {FeatureGates, ResourceRef} from '../../../sdk/index.js';
import type {StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';

export const setVersion = 'apps/v1';
export const setKind = 'StatefulSet';
export const statefulSets: ResourceRef = {group: 'apps', version: 'v1', resource: 'statefulsets'};
export const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
export const claims: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumeclaims'};

/** Which features of StatefulSets are on. */
export interface SetFeatures {
  readonly maxUnavailable: boolean;
  readonly claimRetention: boolean;
  readonly startOrdinal: boolean;
  /** Pods have their ordinal as a label. */
  readonly indexLabel: boolean;
  /** A template that differs from its last revision in defaults alone is the same: another release has others. */
  readonly comparesDefaults: boolean;
}

export function setFeatures(gates: FeatureGates): SetFeatures {
  return {
    maxUnavailable: gates.enabled('MaxUnavailableStatefulSet'),
    claimRetention: gates.enabled('StatefulSetAutoDeletePVC'),
    startOrdinal: gates.enabled('StatefulSetStartOrdinal'),
    indexLabel: gates.enabled('PodIndexLabel'),
    comparesDefaults: gates.enabled('StatefulSetSemanticRevisionComparison'),
  };
}

/** The ordinals of a set's pods: from `start` (inclusive) to `end` (exclusive). */
export interface OrdinalRange {
  readonly start: number;
  readonly end: number;
}

export function ordinalRange({spec}: StatefulSet, {startOrdinal}: SetFeatures): OrdinalRange {
  const start = startOrdinal ? (spec?.ordinals?.start ?? 0) : 0;
  return {start, end: start + (spec?.replicas ?? 1)};
}

export function isInRange(ordinal: number, {start, end}: OrdinalRange): boolean {
  return ordinal >= start && ordinal < end;
}

/** The set and ordinal in a pod's name: `web-1` is number 1 of `web`. Undefined for other names. */
export function podIdentity(podName: string): {set: string; ordinal: number} | undefined {
  const found = /^(.+)-(0|[1-9][0-9]{0,9})$/.exec(podName);
  return found ? {set: found[1]!, ordinal: Number(found[2])} : undefined;
}

export function podName(set: StatefulSet, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}
