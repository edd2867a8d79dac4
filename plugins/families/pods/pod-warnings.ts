import {isGiven} from '../../../sdk/validation/index.js';
import type {FieldPath} from '../../../sdk/index.js';
import type {PodAffinity, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** Warnings about settings in a pod's spec that are allowed but probably mistakes, in Kubernetes' words. */
export function podWarnings(spec: PodSpec | undefined | null, path: FieldPath): string[] {
  if (!spec) return [];
  const {affinity, imagePullSecrets, terminationGracePeriodSeconds, topologySpreadConstraints} = spec;
  const names = (imagePullSecrets ?? []).flatMap(({name}, index) =>
    name ? [] : [`${path.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`],
  );
  const constraints = (topologySpreadConstraints ?? []).flatMap(({labelSelector}, index) =>
    selectorWarnings(labelSelector, path.child('topologySpreadConstraints').index(index)),
  );
  const period =
    (terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path.child('terminationGracePeriodSeconds').toString()}: must be >= 0; negative values are invalid and will be treated as 1`]
      : [];
  return [
    ...constraints,
    ...names,
    ...period,
    ...affinityWarnings(affinity?.podAffinity, path.child('affinity', 'podAffinity')),
    ...affinityWarnings(affinity?.podAntiAffinity, path.child('affinity', 'podAntiAffinity')),
  ];
}

function affinityWarnings(affinity: PodAffinity | undefined | null, path: FieldPath): string[] {
  const required = path.child('requiredDuringSchedulingIgnoredDuringExecution');
  const preferred = path.child('preferredDuringSchedulingIgnoredDuringExecution');
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({labelSelector}, index) =>
      selectorWarnings(labelSelector, required.index(index)),
    ),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({podAffinityTerm}, index) =>
      selectorWarnings(podAffinityTerm?.labelSelector, preferred.index(index).child('podAffinityTerm')),
    ),
  ];
}

function selectorWarnings(selector: unknown, path: FieldPath): string[] {
  return isGiven(selector) ? [] : [`${path.child('labelSelector').toString()}: a null labelSelector results in matching no pod`];
}
