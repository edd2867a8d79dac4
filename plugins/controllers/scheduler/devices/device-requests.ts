import type {DeviceClass, DeviceToleration, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {DeviceFeatures} from './device-pools.js';

/** One of the ways to meet a request of a claim. */
export interface DeviceWay {
  /** `REQUEST` or `REQUEST/WAY`, by which results, constraints and settings name it. */
  readonly name: string;
  readonly request: string;
  readonly deviceClass: DeviceClass;
  /** Expressions of the request; those of the class come first. */
  readonly selectors: readonly string[];
  readonly wantsAll: boolean;
  readonly count: number;
  readonly isAdmin: boolean;
  readonly tolerations: readonly DeviceToleration[];
  /** Amounts that are needed of each device. */
  readonly capacity: Readonly<Record<string, unknown>>;
}

/** A request: the first of its ways that can be met counts. */
export interface DeviceDemand {
  readonly name: string;
  readonly ways: readonly DeviceWay[];
}

/** A claim cannot be met, whatever there is. The message has the words of Kubernetes. */
export class DeviceError extends Error {}

/** What a claim asks for. @throws DeviceError for what the release does not know, or a class that is not there */
export function demandsOf(
  {metadata, spec}: ResourceClaim,
  classOf: (name: string) => DeviceClass | undefined,
  {hasAlternatives, hasAdminAccess, hasShares}: DeviceFeatures,
): DeviceDemand[] {
  const key = `${metadata.namespace}/${metadata.name}`;
  return (spec?.devices?.requests ?? []).map(({name = '', exactly, firstAvailable}) => {
    if (!exactly && !hasAlternatives)
      throw new DeviceError(`claim ${key}, request ${name}: has subrequests, but the DRAPrioritizedList feature is disabled`);
    const ways = exactly ? [{...exactly, name: ''}] : (firstAvailable ?? []);
    return {
      name,
      ways: ways.map((way) => {
        const own = way.name || name;
        const {deviceClassName = '', selectors, allocationMode, count, tolerations, capacity} = way;
        const isAdmin = 'adminAccess' in way && way.adminAccess === true;
        if (isAdmin && !hasAdminAccess)
          throw new DeviceError(`claim ${key}, request ${own}: admin access is requested, but the feature is disabled`);
        if (capacity && !hasShares)
          throw new DeviceError(
            `claim ${key}, ${exactly ? '' : 'sub'}request ${own}: has capacity requests, but the DRAConsumableCapacity feature is disabled`,
          );
        const deviceClass = classOf(deviceClassName);
        if (!deviceClass)
          throw new DeviceError(
            `claim ${key}, request ${own}: could not retrieve device class ${deviceClassName}: deviceclass.resource.k8s.io ${JSON.stringify(deviceClassName)} not found`,
          );
        return {
          name: way.name ? `${name}/${way.name}` : name,
          request: name,
          deviceClass,
          selectors: (selectors ?? []).map(({cel}) => cel?.expression ?? ''),
          wantsAll: allocationMode === 'All',
          count: Number(count ?? 1),
          isAdmin,
          tolerations: tolerations ?? [],
          capacity: (capacity?.requests ?? {}) as Readonly<Record<string, unknown>>,
        };
      }),
    };
  });
}
