import type {ApiObject, NamingProfile, ResourceClient} from '../../../sdk/index.js';
import type {Pod, PodResourceClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {ResourceClaimTemplate} from '../../../sdk/types/unchecked/resource/v1.js';
import {controllerOf, controllerReference} from '../../families/workload-pods/controller-reference.js';

/** Leaves room for a hyphen and five random characters in a name of 63. */
const longestBase = 57;
const versions = ['v1', 'v1beta2', 'v1beta1', 'v1alpha3', 'v1alpha2', 'v1alpha1'];

/** The version in which claims and their templates are served; undefined if none is. */
export function servedVersion(resources: ResourceClient, naming: Pick<NamingProfile, 'group'>): string | undefined {
  const own = naming.group('resource.orch');
  const served = resources.resources().filter(({group}) => group === own);
  return versions.find((version) =>
    ['resourceclaims', 'resourceclaimtemplates'].every((name) => served.some((type) => type.version === version && type.resource === name)),
  );
}

/** An entry of a pod's claims. */
export interface WantedClaim {
  /** The name by which containers refer to it. */
  readonly name: string;
  /** The template that a claim is made from. */
  readonly template: string | undefined;
  /** The claim itself: named by the user, or by the status. Undefined if it has still to be made. Null: none is needed. */
  readonly claim: string | undefined | null;
}

/** The claims of a pod. @param hasFixedNames whether they are named after it alone; otherwise its status says how they are named */
export function claimsOf(pod: Pod, hasFixedNames: boolean): WantedClaim[] {
  const statuses = new Map((pod.status?.resourceClaimStatuses ?? []).map(({name, resourceClaimName}) => [name, resourceClaimName ?? null]));
  return (pod.spec?.resourceClaims ?? []).map((entry) => {
    const {name = ''} = entry;
    const {resourceClaimName, resourceClaimTemplateName} = sourceOf(entry);
    const made = hasFixedNames ? `${pod.metadata.name}-${name}` : statuses.get(name);
    return {name, template: resourceClaimTemplateName, claim: resourceClaimTemplateName ? made : resourceClaimName};
  });
}

function sourceOf({source, resourceClaimName, resourceClaimTemplateName}: PodResourceClaim) {
  return source ?? {resourceClaimName, resourceClaimTemplateName};
}

/** Whether a pod will not run, now or any more. */
export function isDone({metadata, spec, status}: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' || (Boolean(metadata.deletionTimestamp) && !spec?.nodeName);
}

/** The pod for which a claim was made. */
export function owningPod(claim: ApiObject): {readonly name: string; readonly uid: string} | undefined {
  const owner = controllerOf(claim);
  return owner?.kind === 'Pod' && owner.apiVersion === 'v1' ? owner : undefined;
}

/**
 * A claim for a pod, with the spec, labels and annotations of the template. It is deleted with the pod.
 *
 * @param annotation in which it says for which entry of the pod it is; undefined if its name says so
 */
export function claimFor(pod: Pod, entry: string, {apiVersion, spec}: ResourceClaimTemplate, annotation: string | undefined): ApiObject {
  const {labels} = spec?.metadata ?? {};
  const annotations = {...spec?.metadata?.annotations, ...(annotation === undefined ? {} : {[annotation]: entry})};
  const name = pod.metadata.name ?? '';
  return {
    ...(apiVersion ? {apiVersion} : {}),
    kind: 'ResourceClaim',
    metadata: {
      ...(annotation === undefined ? {name: `${name}-${entry}`} : {generateName: generatedBase(name, entry)}),
      namespace: pod.metadata.namespace!,
      ...(labels ? {labels} : {}),
      ...(Object.keys(annotations).length > 0 ? {annotations} : {}),
      ownerReferences: [controllerReference(pod, 'v1', 'Pod')],
    },
    ...(spec?.spec ? {spec: spec.spec} : {}),
  } as ApiObject;
}

/** Both names are cut in proportion, so that something is left of each. */
function generatedBase(pod: string, entry: string): string {
  const whole = `${pod}-${entry}-`;
  if (whole.length <= longestBase) return whole;
  const cut = (name: string, length: number) => name.slice(0, Math.floor((name.length * longestBase) / length));
  const first = cut(pod, whole.length);
  return `${first}-${cut(entry, whole.length)}`;
}
