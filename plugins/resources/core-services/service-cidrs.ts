import {
  ifFound,
  isOvertaken,
  type ApiObject,
  type FeatureGates,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {withCondition, type Condition} from '../../../sdk/controllers/index.js';
import {parseCidr} from '../../../sdk/net/index.js';
import type {ServiceCIDR as ServiceCidr} from '../../../sdk/types/unchecked/networking/v1.js';
import {addressRange, type AddressRange} from './service-settings.js';

/** The newest first. */
const versions = ['v1', 'v1beta1'];
/** Bits of the shortest prefix of IPv6 blocks that services get addresses from, as in Kubernetes. */
const shortestPrefix = 64;

/** The version of ServiceCIDR and IPAddress that decides on services' addresses; undefined if the settings do. */
export function addressVersion(resources: ResourceClient, naming: NamingProfile, gates: FeatureGates): string | undefined {
  if (!gates.enabled('MultiCIDRServiceAllocator')) return undefined;
  const wanted = naming.group('networking.orch');
  const served = resources.resources().filter(({group, resource}) => group === wanted && resource === 'servicecidrs');
  return versions.find((version) => served.some((one) => one.version === version));
}

/** The name of the ServiceCIDR with the blocks of the settings. */
export function defaultServiceCidr({name}: NamingProfile): string {
  return name;
}

export function serviceCidrs(version: string): ResourceRef {
  return {group: 'networking.orch', version, resource: 'servicecidrs'};
}

/** Whether services may get addresses of it. */
export function isReady({metadata, status}: ServiceCidr): boolean {
  return !metadata.deletionTimestamp && (status?.conditions ?? []).some(({type, status: value}) => type === 'Ready' && value === 'True');
}

/** The blocks that services may get addresses from now: those of all ServiceCIDRs that are ready. */
export async function readyRanges(resources: ResourceClient, version: string): Promise<AddressRange[]> {
  const objects: ServiceCidr[] = (await resources.list(serviceCidrs(version), '')).items;
  const blocks = new Set(objects.filter(isReady).flatMap(({spec}) => spec?.cidrs ?? []));
  return [...blocks].flatMap((text) => {
    const cidr = parseCidr(text);
    return cidr?.family === 'IPv6' && cidr.prefixLength < shortestPrefix ? [] : (addressRange(text) ?? []);
  });
}

/** Writes the condition `Ready`, if it differs. */
export async function putReady(resources: ResourceClient, version: string, object: ServiceCidr, ready: Partial<Condition>): Promise<void> {
  const before = (object.status?.conditions ?? []) as Condition[];
  const conditions = withCondition(before, {type: 'Ready', status: 'True', reason: '', message: '', ...ready});
  if (conditions !== before) await resources.update(serviceCidrs(version), '', {...object, status: {conditions}} as ApiObject, 'status');
}

/**
 * Makes the ServiceCIDR with the blocks of the settings, where it is missing, and gives it its second family. One with other blocks stays as it
 * is: they cannot be changed. Several servers may do this at the same time.
 */
export async function ensureDefault(resources: ResourceClient, version: string, name: string, cidrs: readonly string[]): Promise<void> {
  for (;;) {
    try {
      return await putDefault(resources, version, name, cidrs);
    } catch (error) {
      // Another server was first: what it has written counts.
      if (!isOvertaken(error)) throw error;
    }
  }
}

/** @throws StatusError also if another server does the same meanwhile */
async function putDefault(resources: ResourceClient, version: string, name: string, cidrs: readonly string[]): Promise<void> {
  const ref = serviceCidrs(version);
  const found: ServiceCidr | undefined = await ifFound(resources.get(ref, '', name));
  const made: ServiceCidr = found ?? (await resources.create(ref, '', {metadata: {name}, spec: {cidrs}} as ApiObject));
  const present = made.spec?.cidrs ?? [];
  const isSame = present.length === cidrs.length && present.every((cidr, index) => cidr === cidrs[index]);
  if (present.length === 1 && cidrs.length === 2 && present[0] === cidrs[0]) {
    await resources.update(ref, '', {...made, spec: {cidrs}} as ApiObject);
    return;
  }
  const hasCondition = made.status?.conditions?.some(({type, status}) => type === 'Ready' && status !== 'Unknown');
  if (isSame && !hasCondition && !made.metadata.deletionTimestamp)
    await putReady(resources, version, made, {message: 'Kubernetes default Service CIDR is ready'});
}
