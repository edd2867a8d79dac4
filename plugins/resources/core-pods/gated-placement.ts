import {FieldPath, invalid, type FieldError} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {NodeAffinity, NodeSelectorTerm, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

const selectorPath = FieldPath.of('spec', 'nodeSelector');
const must = 'requiredDuringSchedulingIgnoredDuringExecution';
const termsPath = FieldPath.of('spec', 'affinity', 'nodeAffinity', must, 'nodeSelectorTerms');

/** Errors in a change of where a pod may run while gates keep it from being scheduled: it can only be narrowed. */
export function gatedPlacementFaults(spec: PodSpec, old: PodSpec): FieldError[] {
  const {nodeSelector} = spec;
  const isKept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => nodeSelector?.[key] === value);
  return [
    ...(isKept
      ? []
      : [invalid(selectorPath, nodeSelector ?? {}, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)')]),
    ...affinityFaults(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity),
  ];
}

function affinityFaults(now: NodeAffinity | null | undefined, old: NodeAffinity | null | undefined): FieldError[] {
  const before = old?.[must]?.nodeSelectorTerms ?? [];
  const after = now?.[must]?.nodeSelectorTerms ?? [];
  if (before.length === 0) return [];
  if (before.length !== after.length)
    return [invalid(termsPath, after, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  return after.flatMap((term, index) =>
    isNarrowed(term, before[index]!)
      ? []
      : [invalid(termsPath.index(index), term, 'only additions are allowed (no mutations or deletions)')],
  );
}

/** Whether a term has all requirements that it had, first and in order. An empty term matches nothing, so it must stay empty. */
function isNarrowed(now: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const members = ['matchExpressions', 'matchFields'] as const;
  const isEmpty = (term: NodeSelectorTerm) => members.every((member) => !term[member]?.length);
  if (isEmpty(old)) return isEmpty(now);
  return members.every((member) => {
    const before = old[member] ?? [];
    return sameValue((now[member] ?? []).slice(0, before.length), before);
  });
}

/** The spec with what a gated pod may change as it was, to compare the rest. */
export function withPlacementOf(spec: PodSpec, old: PodSpec): PodSpec {
  const {nodeAffinity: _now, ...others} = spec.affinity ?? {};
  const before = old.affinity?.nodeAffinity;
  const isBare = !old.affinity && !others.podAffinity && !others.podAntiAffinity;
  const {nodeSelector: _selector, affinity: _affinity, ...rest} = spec;
  return {
    ...rest,
    ...(old.nodeSelector === undefined ? {} : {nodeSelector: old.nodeSelector}),
    ...(isBare ? {} : {affinity: {...others, ...(before === undefined ? {} : {nodeAffinity: before})}}),
  };
}
