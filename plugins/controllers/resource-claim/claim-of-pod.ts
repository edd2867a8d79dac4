import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {ResourceClaim, ResourceClaimTemplate} from '../../../sdk/types/unchecked/resource/v1alpha1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';

/** A claim that a pod needs from a template. */
export interface WantedClaim {
  /** The claim's name: the pod's name and the name by which its containers refer to it. */
  readonly name: string;
  readonly template: string;
}

/** Claims to create for a pod. A pod that has finished or is being deleted needs none. */
export function wantedClaims(pod: Pod): WantedClaim[] {
  const {metadata, status} = pod;
  return metadata.deletionTimestamp || status?.phase === 'Succeeded' || status?.phase === 'Failed' ? [] : claimsFromTemplates(pod);
}

/** The claims that a pod's spec takes from templates. */
export function claimsFromTemplates({metadata, spec}: Pod): WantedClaim[] {
  return (spec?.resourceClaims ?? []).flatMap(({name, source}) =>
    source?.resourceClaimTemplateName ? [{name: `${metadata.name}-${name}`, template: source.resourceClaimTemplateName}] : [],
  );
}

/** A claim for a pod, with the spec, labels and annotations of the template. It is deleted with the pod. */
export function claimFor(pod: Pod, name: string, {apiVersion, spec}: ResourceClaimTemplate): ResourceClaim {
  const {labels, annotations} = spec?.metadata ?? {};
  return {
    ...(apiVersion ? {apiVersion} : {}),
    kind: 'ResourceClaim',
    metadata: {
      name,
      namespace: pod.metadata.namespace!,
      ...(labels ? {labels} : {}),
      ...(annotations ? {annotations} : {}),
      ownerReferences: [controllerReference(pod, 'v1', 'Pod')],
    },
    ...(spec?.spec ? {spec: spec.spec} : {}),
  };
}
