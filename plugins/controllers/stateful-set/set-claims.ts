import type {ApiObject} from '../../../sdk/index.js';
import type {PersistentVolumeClaim as Claim, Pod, Volume} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';
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

/** What a claim is to be owned by. */
export interface ClaimOwners {
  /** Undefined if it has them already, or if they are left alone. */
  readonly owners: OwnerReferences | undefined;
  /** Whether somebody else controls it, which the retention policy cannot change. */
  readonly isForeign: boolean;
}

/**
 * The owners that a claim must have under the set's retention policy, with which it is deleted.
 *
 * @param pod that uses the claim
 * @param isScaledDown whether the pod's ordinal is no longer in the set
 */
export function retainedOwners(set: StatefulSet, pod: Pod, isScaledDown: boolean, claim: Claim): ClaimOwners {
  const {whenDeleted, whenScaled} = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const present = claim.metadata.ownerReferences ?? [];
  const own: readonly Own[] = [
    {object: set, apiVersion: setVersion, kind: setKind, isWanted: whenDeleted === 'Delete' && !(whenScaled === 'Delete' && isScaledDown)},
    {object: pod, apiVersion: 'v1', kind: 'Pod', isWanted: whenScaled === 'Delete' && isScaledDown},
  ];
  // It belongs to an earlier set or pod of the name, and goes with that.
  if (own.some((each) => isStale(present, each))) return {owners: undefined, isForeign: isPolicy(set)};
  const others = present.filter((owner) => !own.some((each) => isReference(owner, each)));
  const isForeign = isPolicy(set) && others.some(({controller}) => controller === true);
  const has = ({object}: Own) => present.some(({uid}) => uid === object.metadata.uid);
  const isPlain = present.some(({uid, controller}) => controller !== true && own.some(({object}) => uid === object.metadata.uid));
  if (isForeign) return {owners: own.some(has) ? others : undefined, isForeign};
  if (!isPlain && own.every((each) => has(each) === each.isWanted)) return {owners: undefined, isForeign};
  const wanted = own.filter(({isWanted}) => isWanted).map((each) => controllerReference(each.object, each.apiVersion, each.kind));
  return {owners: [...others, ...wanted], isForeign};
}

/** An object that may own a claim. */
interface Own {
  readonly object: ApiObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly isWanted: boolean;
}

/** Whether anything is deleted with its claims. */
function isPolicy({spec}: StatefulSet): boolean {
  const {whenDeleted, whenScaled} = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return whenDeleted === 'Delete' || whenScaled === 'Delete';
}

function isReference(owner: OwnerReferences[number], {object, apiVersion, kind}: Own): boolean {
  return owner.apiVersion === apiVersion && owner.kind === kind && owner.name === object.metadata.name;
}

function isStale(owners: OwnerReferences, own: Own): boolean {
  const found = owners.find((owner) => isReference(owner, own));
  return found !== undefined && found.uid !== own.object.metadata.uid;
}

/** Whether a claim will be deleted with an earlier pod of the same name, which no longer exists. */
export function goesWithFormerPod(podName: string, {metadata}: Claim): boolean {
  return metadata.ownerReferences?.some(({apiVersion, kind, name}) => apiVersion === 'v1' && kind === 'Pod' && name === podName) ?? false;
}
