import type {Affinity, Pod, PodSpec, PodTemplateSpec, Toleration} from '../../../sdk/types/unchecked/core/v1.js';
import type {KeptPod} from '../../families/workload-pods/controlled-pods.js';
import {generationLabel, hashLabel, type DaemonKeys} from './daemon-set-object.js';

/** What decides about a pod of a DaemonSet. */
export interface DaemonPod {
  readonly phase: string;
  readonly isReady: boolean;
  /** In milliseconds since 1970; 0 if it is not ready or does not say. */
  readonly readySince: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly isBound: boolean;
  /** The node that it is on, or for; undefined for none. */
  readonly node: string | undefined;
}

export type Kept = KeptPod<DaemonPod>;

export function daemonPod({metadata, spec, status}: Pod): DaemonPod {
  const ready = status?.conditions?.find(({type}) => type === 'Ready');
  const isReady = ready?.status === 'True';
  return {
    phase: status?.phase ?? '',
    isReady,
    readySince: isReady ? time(ready.lastTransitionTime) : 0,
    createdAt: time(metadata.creationTimestamp),
    isBound: Boolean(spec?.nodeName),
    node: spec?.nodeName || targetOf(spec?.affinity),
  };
}

/** Pods that are on their nodes first, then the oldest. */
export function byAge({name, summary: one}: Kept, {name: otherName, summary: other}: Kept): number {
  return Number(other.isBound) - Number(one.isBound) || one.createdAt - other.createdAt || (name < otherName ? -1 : 1);
}

/** Milliseconds until a ready pod counts as available: 0 for one that does, Infinity for one that is not ready. @param now in milliseconds since 1970 */
export function millisUntilAvailable({summary: {isReady, readySince}}: Kept, minReadySeconds: number, now: number): number {
  if (!isReady) return Infinity;
  if (minReadySeconds === 0) return 0;
  return readySince === 0 ? Infinity : Math.max(readySince + minReadySeconds * 1000 - now, 0);
}

/** Whether a pod is of the present template. */
export function isUpdated({labels}: Kept, hash: string, generation: string | undefined): boolean {
  return labels[hashLabel] === hash || (generation !== undefined && labels[generationLabel] === generation);
}

/** The template of pods, with what the controller adds to it. */
export function daemonTemplate(
  {metadata, spec}: PodTemplateSpec,
  keys: DaemonKeys,
  hash: string,
  generation: string | undefined,
): PodTemplateSpec {
  const labels = {...metadata?.labels, ...(generation === undefined ? {} : {[generationLabel]: generation}), [hashLabel]: hash};
  return {metadata: {...metadata, labels}, spec: {...spec, tolerations: daemonTolerations(spec ?? {}, keys)} as PodSpec};
}

/** The tolerations of a pod with those that let it be where nodes have trouble. */
export function daemonTolerations({tolerations, hostNetwork}: PodSpec, keys: DaemonKeys): Toleration[] {
  const added: Toleration[] = [
    ...keys.noExecute.map((key): Toleration => ({key, operator: 'Exists', effect: 'NoExecute'})),
    ...keys.noSchedule.map((key): Toleration => ({key, operator: 'Exists', effect: 'NoSchedule'})),
    ...(hostNetwork ? [{key: keys.noNetwork, operator: 'Exists', effect: 'NoSchedule'} as const] : []),
  ];
  let all: Toleration[] = [...(tolerations ?? [])];
  for (const toleration of added) {
    if (all.some((each) => isSame(each, toleration))) all = all.map((each) => (isSame(each, toleration) ? toleration : each));
    else all.push(toleration);
  }
  return all;
}

/** Whether tolerations differ in nothing but their seconds. */
function isSame(one: Toleration, other: Toleration): boolean {
  return (
    one.key === other.key && one.operator === other.operator && one.effect === other.effect && (one.value ?? '') === (other.value ?? '')
  );
}

/** A pod's affinity that lets the scheduler put it on one node alone. */
export function affinityFor(node: string, affinity: Affinity | undefined): Affinity {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        ...required,
        nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In', values: [node]}]}],
      },
    },
  };
}

function targetOf(affinity: Affinity | undefined): string | undefined {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap(({matchFields}) => matchFields ?? []);
  const found = fields.find(({key, operator}) => key === 'metadata.name' && operator === 'In');
  return found?.values?.length === 1 ? found.values[0] : undefined;
}

function time(text: string | null | undefined): number {
  return Date.parse(text ?? '') || 0;
}
