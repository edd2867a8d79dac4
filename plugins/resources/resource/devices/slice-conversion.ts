import type {Device, DeviceCapacity, ResourceSliceSpec} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {Device as BasicForm, ResourceSliceSpec as BasicSpec} from '../../../../sdk/types/unchecked/resource/v1beta1.js';

type Capacities = Readonly<Record<string, DeviceCapacity>>;

/** Whether devices of a version have their members in `basic`, and whether an absent node is an empty one. */
export function hasBasicDevices(version: string): boolean {
  return version === 'v1alpha3' || version === 'v1beta1';
}

/** The spec of a slice in the form of `v1`. */
export function sliceSpecToV1(spec: ResourceSliceSpec | BasicSpec | undefined, version: string): ResourceSliceSpec {
  if (!hasBasicDevices(version)) return (spec ?? {}) as ResourceSliceSpec;
  const {nodeName, allNodes, devices, ...rest} = (spec ?? {}) as BasicSpec;
  return {
    ...rest,
    ...(nodeName ? {nodeName} : {}),
    ...(allNodes ? {allNodes} : {}),
    ...(devices ? {devices: devices.map((device) => deviceToV1(device, version))} : {}),
  } as ResourceSliceSpec;
}

/** The spec of a slice of one version in the form of another. */
export function convertSliceSpec(spec: ResourceSliceSpec | BasicSpec | undefined, from: string, to: string): unknown {
  const hub = sliceSpecToV1(spec, from);
  if (!hasBasicDevices(to)) return hub;
  const {devices, ...rest} = hub;
  return {...rest, ...(devices ? {devices: devices.map((device) => deviceFromV1(device, to))} : {})};
}

function deviceToV1({name, basic}: BasicForm, version: string): Device {
  const {capacity, ...rest} = basic ?? {};
  return {
    ...(name === undefined ? {} : {name}),
    ...rest,
    ...(capacity ? {capacity: capacityToV1(capacity as Capacities, version)} : {}),
  } as Device;
}

function deviceFromV1({name, capacity, ...rest}: Device, version: string): BasicForm {
  return {
    ...(name === undefined ? {} : {name}),
    basic: {...rest, ...(capacity ? {capacity: capacityFromV1(capacity, version)} : {})},
  } as BasicForm;
}

/** In `v1alpha3` a capacity is a quantity. */
function capacityToV1(capacities: Readonly<Record<string, unknown>>, version: string): Capacities {
  if (version !== 'v1alpha3') return capacities as Capacities;
  return Object.fromEntries(Object.entries(capacities).map(([name, value]) => [name, {value: value as string}]));
}

function capacityFromV1(capacities: Capacities, version: string): Readonly<Record<string, unknown>> {
  if (version !== 'v1alpha3') return capacities;
  return Object.fromEntries(Object.entries(capacities).map(([name, {value}]) => [name, value]));
}
