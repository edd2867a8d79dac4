import type {AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';

/** How long devices may take to become ready for the node of a pod, in milliseconds. */
export const bindingMillis = 600_000;

/** Whether devices of a claim have to be made ready before a pod gets its node. */
export function hasBindingConditions({status}: ResourceClaim): boolean {
  return results(status).some(({bindingConditions}) => (bindingConditions ?? []).length > 0);
}

/** Whether all devices of a claim are ready, as far as they say that. @throws Error in the words of Kubernetes for one that has failed */
export function isReadyForBinding({metadata, status}: ResourceClaim): boolean {
  if (!status?.allocation) return false;
  for (const result of results(status)) {
    const wanted = result.bindingConditions ?? [];
    if (wanted.length === 0) continue;
    const device = statusOf(status.devices ?? [], result);
    if (!device) return false;
    for (const type of result.bindingFailureConditions ?? []) {
      const failed = device.conditions?.find((condition) => condition.type === type && condition.status === 'True');
      if (failed)
        throw new Error(
          `device binding failed: claim=${metadata.name}, reason=${failed.reason ?? ''}, message=${JSON.stringify(failed.message ?? '')}`,
        );
    }
    const isTrue = (type: string) => device.conditions?.some((condition) => condition.type === type && condition.status === 'True');
    if (!wanted.every(isTrue)) return false;
  }
  return true;
}

/** Whether the devices of a claim with such conditions have had their time to become ready. @param now in milliseconds since 1970 */
export function hasTimedOut({status}: ResourceClaim, now: number): boolean {
  return Date.parse(status?.allocation?.allocationTimestamp ?? '') + bindingMillis < now;
}

function results(status: ResourceClaim['status']): readonly DeviceRequestAllocationResult[] {
  return status?.allocation?.devices?.results ?? [];
}

function statusOf(
  devices: readonly AllocatedDeviceStatus[],
  {driver, pool, device}: DeviceRequestAllocationResult,
): AllocatedDeviceStatus | undefined {
  return devices.find((one) => one.driver === driver && one.pool === pool && one.device === device);
}
