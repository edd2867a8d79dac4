import {qualifiedNameFaults, type NamingProfile} from '../../../sdk/index.js';

const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);
const countedObjects = [
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const standardResources = new Set([
  ...containerResources,
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...countedObjects,
]);
const wholeResources = new Set(countedObjects);

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** A resource known to the platform: without a domain, or with the platform's own domain or a subdomain. */
export function isNativeResource(name: string, {keyPrefix}: NamingProfile): boolean {
  const slash = name.indexOf('/');
  const domain = name.slice(0, slash);
  return slash < 0 || domain === keyPrefix || domain.endsWith(`.${keyPrefix}`);
}

/** A third-party resource (`example.com/gpu`). */
export function isExtendedResource(name: string, naming: NamingProfile): boolean {
  if (isNativeResource(name, naming) || name.startsWith('requests.')) return false;
  return qualifiedNameFaults(`requests.${name}`).length === 0;
}

/** Names without a domain that are valid somewhere. */
function isStandardResource(name: string): boolean {
  return standardResources.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-') || name.startsWith('limits.hugepages-');
}

/** Names without a domain that are valid for containers. */
function isStandardContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePages(name);
}

/** Names without a domain that a quota may limit. */
export function isStandardQuotaResource(name: string): boolean {
  return standardResources.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** Resources with integer amounts only. */
export function isWholeResource(name: string, naming: NamingProfile): boolean {
  return wholeResources.has(name) || isExtendedResource(name, naming);
}

/** Errors in the name of a resource, wherever it occurs. */
export function resourceNameFaults(name: string): string[] {
  const faults = qualifiedNameFaults(name);
  if (faults.length === 0 && !name.includes('/') && !isStandardResource(name))
    faults.push('must be a standard resource type or fully qualified');
  return faults;
}

/** Errors in the name of a container's resource. */
export function containerResourceNameFaults(name: string, naming: NamingProfile): string[] {
  const faults = resourceNameFaults(name);
  if (!name.includes('/')) return isStandardContainerResource(name) ? faults : [...faults, 'must be a standard resource for containers'];
  if (isNativeResource(name, naming) || isExtendedResource(name, naming)) return faults;
  return [...faults, "doesn't follow extended resource name standard"];
}

/** Resources that a pod as a whole may have. */
export function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}
