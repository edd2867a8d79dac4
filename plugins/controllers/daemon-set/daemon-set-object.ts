import type {ApiObject, NamingProfile, ResourceRef} from '../../../sdk/index.js';
import type {DaemonSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {scaledValue} from '../../families/workload-pods/scaled-value.js';
import type {WorkloadType} from '../../families/workload-pods/workload-loop.js';

export const daemonSets: ResourceRef = {group: 'apps', version: 'v1', resource: 'daemonsets'};
export const daemonSetType: WorkloadType = {ref: daemonSets, apiVersion: 'apps/v1', kind: 'DaemonSet'};

export type StoredDaemonSet = DaemonSet & ApiObject;

/** The label of pods and revisions with the hash of the template. */
export const hashLabel = 'controller-revision-hash';
/** A label of pods by which updates were counted before there were revisions. */
export const generationLabel = 'pod-template-generation';
const generationAnnotation = 'deprecated.daemonset.template.generation';

/** The number that the label above counts by; undefined for none. */
export function templateGeneration({metadata}: DaemonSet): string | undefined {
  const text = metadata.annotations?.[generationAnnotation];
  return text !== undefined && /^[+-]?\d{1,19}$/.test(text) ? String(BigInt(text)) : undefined;
}

/** How many nodes may have two pods during an update. @param wanted number of nodes that the DaemonSet is for */
export function maxSurge({spec}: DaemonSet, wanted: number): number {
  const {type, rollingUpdate} = spec?.updateStrategy ?? {};
  return type === 'RollingUpdate' ? (scaledValue(rollingUpdate?.maxSurge ?? 0, wanted) ?? 0) : 0;
}

/** How many nodes may be without an available pod during an update. */
export function maxUnavailable(set: DaemonSet, wanted: number): number {
  const {type, rollingUpdate} = set.spec?.updateStrategy ?? {};
  const given = type === 'RollingUpdate' ? (scaledValue(rollingUpdate?.maxUnavailable ?? 0, wanted) ?? 0) : 0;
  // With both at 0 nothing could ever be replaced.
  return wanted > 0 && given === 0 && maxSurge(set, wanted) === 0 ? 1 : given;
}

/** Keys of the taints that pods of DaemonSets tolerate. */
export interface DaemonKeys {
  readonly noExecute: readonly string[];
  readonly noSchedule: readonly string[];
  /** For pods in the network of their node. */
  readonly noNetwork: string;
}

export function daemonKeys(naming: NamingProfile): DaemonKeys {
  const keys = (names: readonly string[]) => names.map((name) => naming.key(name));
  return {
    noExecute: keys(['node.orch/not-ready', 'node.orch/unreachable']),
    noSchedule: keys(['node.orch/disk-pressure', 'node.orch/memory-pressure', 'node.orch/pid-pressure', 'node.orch/unschedulable']),
    noNetwork: naming.key('node.orch/network-unavailable'),
  };
}
