import type {ApiObject} from '../../../sdk/index.js';
import type {PersistentVolumeClaim as Claim, Pod, Volume} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {ownerReference} from '../../families/workload-pods/controller-reference.js';
import {setKind, setVersion} from './set-object.js';

type OwnerReferences = NonNullable<ApiObject['metadata']['ownerReferences']>;

/** The name of a pod's claim for one of the set's templates; always the same. */
function claimName(set: StatefulSet, template: Claim, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

/** The claims of the pod with an ordinal, one for each template of the set. */
export function claimsOf(set: StatefulSet, ordinal: number): Claim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const {name: _name, labels, annotations, finalizers} = template.metadata;
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: claimName(set, template, ordinal),
        namespace: set.metadata.namespace!,
        labels: {...labels, ...set.spec?.selector?.matchLabels},
        ...(annotations ? {annotations} : {}),
        ...(finalizers ? {finalizers} : {}),
      },
      ...(template.spec ? {spec: template.spec} : {}),
    };
  });
}

/** The volumes of a pod: a claim replaces a volume of the same name in the template. */
export function volumesOf(set: StatefulSet, ordinal: number, others: readonly Volume[]): Volume[] {
  const templates = set.spec?.volumeClaimTemplates ?? [];
  const names = new Set(templates.map(({metadata}) => metadata.name));
  return [
    ...templates.map((template) => ({
      name: template.metadata.name!,
      persistentVolumeClaim: {claimName: claimName(set, template, ordinal)},
    })),
    ...others.filter(({name}) => !names.has(name)),
  ];
}

/** Whether a pod uses all of its claims. */
export function hasItsClaims(set: StatefulSet, ordinal: number, {spec}: Pod): boolean {
  return (set.spec?.volumeClaimTemplates ?? []).every((template) =>
    spec?.volumes?.some(
      ({name, persistentVolumeClaim}) =>
        name === template.metadata.name && persistentVolumeClaim?.claimName === claimName(set, template, ordinal),
    ),
  );
}

/**
 * The owners that a claim must have under the set's retention policy, with which it is deleted. Undefined if it has them already.
 *
 * @param pod that uses the claim
 * @param isScaledDown whether the pod's ordinal is no longer in the set
 */
export function retainedOwners(set: StatefulSet, pod: Pod, isScaledDown: boolean, claim: Claim): OwnerReferences | undefined {
  const {whenDeleted, whenScaled} = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const withPod = whenScaled === 'Delete' && isScaledDown;
  const withSet = whenDeleted === 'Delete' && !withPod;
  const present = claim.metadata.ownerReferences ?? [];
  const has = ({metadata}: ApiObject) => present.some(({uid}) => uid === metadata.uid);
  if (has(set) === withSet && has(pod) === withPod) return undefined;
  return [
    ...present.filter(({uid}) => uid !== set.metadata.uid && uid !== pod.metadata.uid),
    ...(withSet ? [ownerReference(set, setVersion, setKind)] : []),
    ...(withPod ? [ownerReference(pod, 'v1', 'Pod')] : []),
  ];
}

/** Whether a claim will be deleted with an earlier pod of the same name, which no longer exists. */
export function goesWithFormerPod(podName: string, {metadata}: Claim): boolean {
  return metadata.ownerReferences?.some(({kind, name}) => kind === 'Pod' && name === podName) ?? false;
}
