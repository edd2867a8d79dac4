import type {AllocationResult, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import {termsPredicate, type NamedLabels} from '../../../families/placement/node-terms.js';
import {allocationOf} from '../devices/allocation-result.js';
import {hasBindingConditions, hasTimedOut, isReadyForBinding} from '../devices/binding-conditions.js';
import {poolsOf, type DeviceFeatures} from '../devices/device-pools.js';
import {demandsOf} from '../devices/device-requests.js';
import {DeviceSearch, type SearchedClaim} from '../devices/device-search.js';
import type {DeviceView} from '../model/device-view.js';
import type {KnownPod} from '../model/known-pod.js';
import {refusal, type Filter, type RefusedEverywhere} from './filter.js';

const elsewhere = refusal(true, 'resourceclaim not available on the node');
const tooFew = refusal(true, 'cannot allocate all claims');

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

/** The devices that the claims of a pod get on a node; undefined if there are not enough. @throws DeviceError for a claim that cannot be met */
export function allocate(
  claims: readonly ResourceClaim[],
  node: NamedLabels,
  devices: DeviceView,
  features: DeviceFeatures,
): ReadonlyMap<ResourceClaim, AllocationResult> | undefined {
  const searched = claims.map((claim): SearchedClaim => ({
    claim,
    demands: demandsOf(claim, (name) => devices.deviceClass(name), features),
  }));
  const found = new DeviceSearch({
    node,
    pools: poolsOf(devices.slicesFor(node.name), (pool) => devices.slicesOf(pool), node, features),
    claims: searched,
    features,
    isInUse: (id) => devices.isInUse(id),
    sharesOf: (id) => devices.sharesOf(id),
    isSelected: (device, way, claim) => devices.selects(device, way, claim),
  }).run();
  return found && new Map(claims.map((claim, index) => [claim, allocationOf(claim, found[index]!, node.name, features)]));
}

/** Claims of devices that are given where the pod runs, or can be. */
export function dynamicResources(devices: DeviceView, features: DeviceFeatures): Filter {
  return {
    name: 'DynamicResources',
    prepare: (pod) => {
      if (pod.claims.length === 0) return undefined;
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
      if (selectors.length === 0 && open.length === 0 && !isUseless) return undefined;
      return {
        check: ({facts}) => {
          if (open.length > 0 && !allocate(open, facts, devices, features)) return tooFew;
          return selectors.every((matches) => matches(facts)) && !isUseless ? undefined : elsewhere;
        },
      };
    },
    mayHelp: (_pod, event) => event.type === 'devices' || event.type === 'node',
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
