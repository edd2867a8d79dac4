import type {DeviceRequest, ExactDeviceRequest, ResourceClaimSpec} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {DeviceRequest as FlatRequest, ResourceClaimSpec as FlatSpec} from '../../../../sdk/types/unchecked/resource/v1beta1.js';

/** Whether requests of a version have their members themselves, where later versions have them in `exactly`. */
export function hasFlatRequests(version: string): boolean {
  return version === 'v1alpha3' || version === 'v1beta1';
}

/** The spec of a claim in the form of `v1`. */
export function claimSpecToV1(spec: ResourceClaimSpec | FlatSpec | undefined, version: string): ResourceClaimSpec {
  if (!hasFlatRequests(version)) return (spec ?? {}) as ResourceClaimSpec;
  return withRequests((spec ?? {}) as FlatSpec, requestToV1) as ResourceClaimSpec;
}

/** The spec of a claim of one version in the form of another. */
export function convertClaimSpec<T extends ResourceClaimSpec | FlatSpec>(spec: T | undefined, from: string, to: string): unknown {
  const hub = claimSpecToV1(spec, from);
  return hasFlatRequests(to) ? withRequests(hub, requestFromV1) : hub;
}

function withRequests<T>(spec: ResourceClaimSpec | FlatSpec, convert: (request: T) => object): object {
  const requests = spec.devices?.requests as readonly T[] | null | undefined;
  return requests ? {...spec, devices: {...spec.devices, requests: requests.map(convert)}} : spec;
}

function requestToV1({name, firstAvailable, ...exactly}: FlatRequest): DeviceRequest {
  // Drivers of the time wrote an empty class beside alternatives.
  const isGiven = Object.entries(exactly).some(([member, value]) => !(value === undefined || value === null || isZero(member, value)));
  return {
    ...(name === undefined ? {} : {name}),
    ...(isGiven ? {exactly: exactly as ExactDeviceRequest} : {}),
    ...(firstAvailable ? {firstAvailable} : {}),
  };
}

function isZero(member: string, value: unknown): boolean {
  return member === 'deviceClassName' || member === 'allocationMode' ? value === '' : member === 'count' && Number(value) === 0;
}

function requestFromV1({name, exactly, firstAvailable}: DeviceRequest): FlatRequest {
  return {
    ...(name === undefined ? {} : {name}),
    ...exactly,
    ...(firstAvailable ? {firstAvailable: firstAvailable as NonNullable<FlatRequest['firstAvailable']>} : {}),
  };
}
