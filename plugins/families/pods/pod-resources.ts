import {compareQuantities, forbiddenField, invalid, notSupported, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodRules} from './pod-rules.js';
import {containerAmounts} from './resource-amounts.js';
import {isHugePages, isPodResource, resourceNameFaults} from './resource-names.js';
import {validateResourceRequirements} from './resource-requirements.js';

/** Errors in the resources that a pod has as a whole: its containers share them. */
export function validatePodResources(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const {resources, os} = spec;
  if (!resources || !rules.gates.enabled('PodLevelResources')) return [];
  if (os?.name === 'windows') return [forbiddenField(path, 'may not be set for a windows pod')];
  const faults = resources.claims ? [forbiddenField(path.child('claims'), 'claims may not be set for Resources at pod-level')] : [];
  return [
    ...faults,
    ...validateResourceRequirements(resources, path, rules, claimNames(spec), validateName),
    ...consistencyFaults(spec, path),
  ];
}

function validateName(name: string, path: FieldPath): FieldError[] {
  const faults = invalidFor(path, name, resourceNameFaults(name));
  if (faults.length > 0 || isPodResource(name)) return faults;
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}

function claimNames({resourceClaims}: PodSpec): ReadonlySet<string> {
  return new Set((resourceClaims ?? []).map(({name}) => name ?? ''));
}

/** Containers together need at most what the pod requests, and none may use more than it. */
function consistencyFaults(spec: PodSpec, path: FieldPath): FieldError[] {
  const {requests = {}, limits = {}} = spec.resources ?? {};
  const faults: FieldError[] = [];
  const compare = (amounts: Readonly<Record<string, string>>, ofPod: Readonly<Record<string, string>>, kind: 'requests' | 'limits') => {
    for (const [name, amount] of Object.entries(amounts)) {
      if (!Object.hasOwn(ofPod, name) || compareQuantities(amount, ofPod[name]) <= 0) continue;
      faults.push(
        invalid(path.child(kind).key(name), ofPod[name], `must be greater than or equal to aggregate container ${kind} of ${amount}`),
      );
    }
  };
  compare(containerAmounts(spec, 'requests'), requests, 'requests');
  compare(Object.fromEntries(Object.entries(containerAmounts(spec, 'limits')).filter(([name]) => isHugePages(name))), limits, 'limits');
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, amount] of Object.entries(container.resources?.limits ?? {})) {
      if (!Object.hasOwn(limits, name) || compareQuantities(amount, limits[name]) <= 0) continue;
      // The path is Kubernetes' own.
      const at = path.child('containers').index(index).key(name).child('limits');
      faults.push(invalid(at, amount, `must be less than or equal to pod limits of ${limits[name]}`));
    }
  }
  return faults;
}

/**
 * Fills in requests of a pod as a whole from what its containers request, or else its limits; and its limits of huge pages from those of
 * its containers. Modifies `spec`. After the defaults of containers.
 */
export function applyPodResourceDefaults(spec: PodSpec): void {
  const {resources} = spec;
  if (!resources) return;
  const {requests = {}, limits = {}} = resources;
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return;
  const hugePages = Object.entries(containerAmounts(spec, 'limits')).filter(
    ([name]) => isHugePages(name) && !Object.hasOwn(requests, name),
  );
  const allLimits = {...Object.fromEntries(hugePages), ...limits};
  if (Object.keys(allLimits).length === 0) return;
  resources.limits = allLimits;
  const shared = Object.entries(containerAmounts(spec, 'requests')).filter(([name]) => isPodResource(name) && !isHugePages(name));
  const all = {...onlyPodResources(allLimits), ...Object.fromEntries(shared), ...requests};
  if (Object.keys(all).length > 0) resources.requests = all;
}

function onlyPodResources(amounts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => isPodResource(name)));
}
