import type {AllocationResult, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import {termsPredicate, type NamedLabels} from '../../../families/placement/node-terms.js';
import {allocationOf} from '../devices/allocation-result.js';
import {hasBindingConditions, hasTimedOut, isReadyForBinding} from '../devices/binding-conditions.js';
import {poolsOf, type DeviceFeatures} from '../devices/device-pools.js';
import {demandsOf} from '../devices/device-requests.js';
import {ExtendedDemand} from './extended-claim.js';
import {DeviceSearch, type SearchedClaim} from '../devices/device-search.js';
import type {DeviceView} from '../model/device-view.js';
import type {KnownPod} from '../model/known-pod.js';
import {refusal, type Filter, type RefusedEverywhere} from './filter.js';

const elsewhere = refusal(true, 'resourceclaim not available on the node');
const tooFew = refusal(true, 'cannot allocate all claims');
const isStale = refusal(true, 'cannot schedule extended resource claim');

const nowhere = (reason: string): RefusedEverywhere => ({everywhere: refusal(true, reason)});

/** The claims of a pod, or why nothing can be done with one of them. */
export function deviceClaims({key, namespace, name, uid, claims}: KnownPod, devices: DeviceView): readonly ResourceClaim[] | string {
  const found: ResourceClaim[] = [];
  for (const {name: claimName, isOwn} of claims) {
    if (claimName === undefined) return `pod ${JSON.stringify(key)}: ResourceClaim not created yet`;
    if (claimName === '') continue;
    const claim = devices.claim(namespace, claimName);
    if (!claim) return `resourceclaim.resource.k8s.io ${JSON.stringify(claimName)} not found`;
    if (claim.metadata.deletionTimestamp) return `resourceclaim ${JSON.stringify(claimName)} is being deleted`;
    const owner = claim.metadata.ownerReferences?.find(({controller}) => controller);
    if (isOwn && owner?.uid !== uid)
      return `ResourceClaim ${namespace}/${claimName} was not created for Pod ${namespace}/${name} (Pod is not owner)`;
    found.push(claim);
  }
  return found;
}

/** Claims with what they ask for. @throws DeviceError for a claim that cannot be met */
export function searchedClaims(claims: readonly ResourceClaim[], devices: DeviceView, features: DeviceFeatures): readonly SearchedClaim[] {
  return claims.map((claim) => ({claim, demands: demandsOf(claim, (name) => devices.deviceClass(name), features)}));
}

/** The devices that the claims of a pod get on a node; undefined if there are not enough. @throws DeviceError for a claim that cannot be met */
export function allocate(
  claims: readonly SearchedClaim[],
  node: NamedLabels,
  devices: DeviceView,
  features: DeviceFeatures,
): ReadonlyMap<ResourceClaim, AllocationResult> | undefined {
  const found = new DeviceSearch({
    node,
    pools: poolsOf(devices.slicesFor(node.name), (pool) => devices.slicesOf(pool), node, features),
    claims,
    features,
    isInUse: (id) => devices.isInUse(id),
    sharesOf: (id) => devices.sharesOf(id),
    isSelected: (device, way, claim) => devices.selects(device, way, claim),
  }).run();
  return found && new Map(claims.map(({claim}, index) => [claim, allocationOf(claim, found[index]!, node.name, features)]));
}

/** Claims of devices that are given where the pod runs, or can be. */
export function dynamicResources(devices: DeviceView, features: DeviceFeatures): Filter {
  return {
    name: 'DynamicResources',
    prepare: (pod) => {
      const extended = ExtendedDemand.of(pod, devices);
      if (pod.claims.length === 0 && !extended) return undefined;
      const claims = deviceClaims(pod, devices);
      if (typeof claims === 'string') return nowhere(claims);
      const allocated = claims.filter(({status}) => status?.allocation);
      const open = claims.filter(({status}) => !status?.allocation);
      for (const claim of open) {
        const fault = openFault(claim, devices);
        if (fault !== undefined) return nowhere(fault);
      }
      const selectors = allocated.flatMap(({status}) => {
        const selector = status?.allocation?.nodeSelector;
        return selector ? [termsPredicate(selector.nodeSelectorTerms)] : [];
      });
      // Its devices are taken back, so that others can be tried.
      const isUseless = features.hasConditions && allocated.some((claim) => cannotBind(claim, devices.now));
      if (selectors.length === 0 && open.length === 0 && !isUseless && !extended) return undefined;
      const searched = searchedOnce(open, devices, features);
      return {
        check: ({facts}) => {
          if (extended?.stale) return isStale;
          const wanted = searched(extended?.on(facts)?.claim);
          if (wanted.length > 0 && !allocate(wanted, facts, devices, features)) return tooFew;
          return selectors.every((matches) => matches(facts)) && !isUseless ? undefined : elsewhere;
        },
      };
    },
    mayHelp: (_pod, event) => event.type === 'devices' || event.type === 'node',
  };
}

/** What claims ask for, with one more on some nodes: worked out for the first node that is asked. */
function searchedOnce(
  open: readonly ResourceClaim[],
  devices: DeviceView,
  features: DeviceFeatures,
): (own: ResourceClaim | undefined) => readonly SearchedClaim[] {
  const known = new Map<ResourceClaim | undefined, readonly SearchedClaim[]>();
  return (own) => {
    let found = known.get(own);
    if (!found) known.set(own, (found = searchedClaims(own ? [...open, own] : open, devices, features)));
    return found;
  };
}

/** Whether devices of a claim have failed to become ready, or have not in time. */
export function cannotBind(claim: ResourceClaim, now: number): boolean {
  if (!hasBindingConditions(claim)) return false;
  try {
    return !isReadyForBinding(claim) && hasTimedOut(claim, now);
  } catch {
    return true;
  }
}

/** Why a claim that has no devices cannot get any yet. */
function openFault({metadata, spec}: ResourceClaim, devices: DeviceView): string | undefined {
  if (devices.isPending(metadata.uid ?? ''))
    return `resource claim ${metadata.namespace}/${metadata.name} is in the process of being allocated`;
  for (const {name, exactly, firstAvailable} of spec?.devices?.requests ?? []) {
    const ways = exactly
      ? [{deviceClassName: exactly.deviceClassName, name}]
      : (firstAvailable ?? []).map((way) => ({...way, name: `${name}/${way.name}`}));
    for (const way of ways)
      if (!devices.deviceClass(way.deviceClassName ?? '')) return `request ${way.name}: device class ${way.deviceClassName} does not exist`;
  }
  return undefined;
}
