import {compileSelector, type LabelSelector} from '../../../../sdk/labels/index.js';
import type {PodAffinityTerm, PodSpec, WeightedPodAffinityTerm} from '../../../../sdk/types/unchecked/core/v1.js';

/** What terms ask of a pod. */
export interface LabelledPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The labels of a namespace; empty if it is not there. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

/** Which other pods a pod wants near it, or far from it, and what near means. */
export interface PodTerm {
  /** Key of the label that nodes near each other share the value of. */
  readonly topologyKey: string;
  matches(pod: LabelledPod, labelsOf: NamespaceLabels): boolean;
}

export interface WeightedPodTerm extends PodTerm {
  readonly weight: number;
}

/** The affinity of a pod to others and its anti-affinity. */
export interface PodTerms {
  readonly required: readonly PodTerm[];
  readonly requiredAnti: readonly PodTerm[];
  readonly preferred: readonly WeightedPodTerm[];
  readonly preferredAnti: readonly WeightedPodTerm[];
}

/** @returns undefined for a pod that does not care about others */
export function podTerms({affinity}: PodSpec, namespace: string): PodTerms | undefined {
  const {podAffinity: near, podAntiAffinity: far} = affinity ?? {};
  const one = (term: PodAffinityTerm) => podTerm(term, namespace);
  const weighted = ({weight = 0, podAffinityTerm}: WeightedPodAffinityTerm) => ({...one(podAffinityTerm ?? {}), weight});
  const terms: PodTerms = {
    required: (near?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(one),
    requiredAnti: (far?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(one),
    preferred: (near?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted),
    preferredAnti: (far?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted),
  };
  return Object.values(terms).some((list: readonly PodTerm[]) => list.length > 0) ? terms : undefined;
}

function podTerm({topologyKey = '', labelSelector, namespaces, namespaceSelector}: PodAffinityTerm, own: string): PodTerm {
  // Without either, it is about the pod's own namespace.
  const named = new Set(namespaces?.length || namespaceSelector ? (namespaces ?? []) : [own]);
  const selectsNamespace = namespaceSelector ? compileSelector(namespaceSelector) : undefined;
  const selects = remembered(labelSelector);
  return {
    topologyKey,
    matches: (pod, labelsOf) => selects(pod.labels) && (named.has(pod.namespace) || (selectsNamespace?.(labelsOf(pod.namespace)) ?? false)),
  };
}

/** A selector that remembers its answer for each set of labels: pods of the same form share theirs. */
export function remembered(
  selector: LabelSelector | null | undefined,
  also: (labels: Readonly<Record<string, string>>) => boolean = () => true,
): (labels: Readonly<Record<string, string>>) => boolean {
  const selects = compileSelector(selector);
  const known = new WeakMap<object, boolean>();
  return (labels) => {
    let answer = known.get(labels);
    if (answer === undefined) known.set(labels, (answer = selects(labels) && also(labels)));
    return answer;
  };
}
