import {dnsLabelFaults, dnsSubdomainFaults, duplicate, FieldPath, invalid, required, type FieldError} from '../../../sdk/index.js';
import {invalidFor, validateGivenText, validateText} from '../../../sdk/validation/index.js';
import type {PodExtendedResourceClaimStatus, PodResourceClaimStatus, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

const claimsPath = FieldPath.of('status', 'resourceClaimStatuses');
const extendedPath = FieldPath.of('status', 'extendedResourceClaimStatus');

/** Errors in the claims that were made for a pod: each is one of its spec. */
export function claimFaults(statuses: readonly PodResourceClaimStatus[], {resourceClaims}: PodSpec): FieldError[] {
  const seen = new Set<string>();
  return statuses.flatMap(({name = '', resourceClaimName}, index) => {
    const at = claimsPath.index(index);
    const faults: FieldError[] = [];
    if (!resourceClaims?.some((claim) => claim.name === name))
      faults.push(invalid(at.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`'));
    if (seen.has(name)) faults.push(duplicate(at.child('name'), name));
    seen.add(name);
    return [...faults, ...validateGivenText(resourceClaimName, at.child('resourceClaimName'), dnsSubdomainFaults)];
  });
}

/** Errors in the claim that was made for extended resources that containers request. */
export function extendedClaimFaults(status: PodExtendedResourceClaimStatus | undefined | null, spec: PodSpec): FieldError[] {
  if (!status) return [];
  const mappings = status.requestMappings ?? [];
  const path = extendedPath.child('requestMappings');
  const seen = new Set<string>();
  const faults = mappings.flatMap(({containerName = '', resourceName = '', requestName = ''}, index) => {
    const at = path.index(index);
    const own = [
      ...requestFaults(spec, containerName, resourceName, at),
      // The path is Kubernetes' own.
      ...invalidFor(extendedPath.child('requestName'), requestName, dnsLabelFaults(requestName)),
    ];
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      const members = {containerName, resourceName, requestName};
      own.push(...Object.entries(members).map(([member, value]) => duplicate(at.child(member), value)));
    }
    seen.add(key);
    return own;
  });
  return [
    ...(mappings.length === 0 ? [required(path, 'at least one request mapping is required')] : []),
    ...faults,
    ...validateText(status.resourceClaimName, extendedPath.child('resourceClaimName'), dnsSubdomainFaults),
  ];
}

function requestFaults({initContainers, containers}: PodSpec, name: string, resource: string, path: FieldPath): FieldError[] {
  const container = [...(initContainers ?? []), ...(containers ?? [])].findLast((one) => one.name === name);
  const place = (member: string) => `spec.initContainers.${member} or spec.containers.${member}`;
  if (!container) return [invalid(path.child('containerName'), name, `must match the name of an entry in ${place('name')}`)];
  if (Object.hasOwn(container.resources?.requests ?? {}, resource)) return [];
  const detail = `must match the extended resource name of an entry in ${place('resources.requests')}`;
  return [invalid(path.child('resourceName'), resource, detail)];
}
