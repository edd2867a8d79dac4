import {dnsSubdomainFaults, invalid, required, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {invalidFor, isGiven, validateImmutable} from '../../../../sdk/validation/index.js';
import type {CounterSet, Device, ResourcePool, ResourceSliceSpec} from '../../../../sdk/types/unchecked/resource/v1.js';
import {validateStrictNodeSelector} from '../../../families/pods/node-selector.js';
import {validateDevice, validateCounters, type NativeResource} from './device-faults.js';
import {validateSet} from './findings.js';
import {validateDriver, validateLabelName, validatePool} from './names.js';

const maximumDevices = 128;
/** Of a slice with taints, counters or lists as attributes. */
const maximumRichDevices = 64;
const maximumCounterSets = 8;

/** Errors in the spec of a slice. @param old of a changed one */
export function sliceSpecFaults(
  spec: ResourceSliceSpec,
  old: ResourceSliceSpec | undefined,
  path: FieldPath,
  isNative: NativeResource,
): FieldError[] {
  const before = new Map((old?.devices ?? []).map((device) => [device.name, device]));
  const isRich = (spec.devices ?? []).some(isRichDevice);
  return [
    ...validateDriver(spec.driver, path.child('driver')),
    ...poolFaults(spec.pool ?? {}, path.child('pool')),
    ...(old ? immutableFaults(spec, old, path) : []),
    ...nodeFaults(spec, path),
    ...(isGiven(spec.sharedCounters) && isGiven(spec.devices)
      ? [invalid(path, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...validateSet(
      spec.devices,
      isRich ? maximumRichDevices : maximumDevices,
      path.child('devices'),
      (device, at) => validateDevice(device, before.get(device.name), at, spec.perDeviceNodeSelection === true, isNative),
      ({name = ''}) => name,
    ),
    ...validateSet(spec.sharedCounters, maximumCounterSets, path.child('sharedCounters'), validateCounterSet, ({name = ''}) => name),
  ];
}

function isRichDevice({taints, consumesCounters, attributes}: Device): boolean {
  if ((taints ?? []).length > 0 || (consumesCounters ?? []).length > 0) return true;
  return Object.values(attributes ?? {}).some(({bools, ints, strings, versions}) => bools || ints || strings || versions);
}

function poolFaults({name, generation = 0, resourceSliceCount = 0}: ResourcePool, path: FieldPath): FieldError[] {
  const faults = validatePool(name, path.child('name'));
  if (Number(resourceSliceCount) <= 0)
    faults.push(invalid(path.child('resourceSliceCount'), resourceSliceCount, 'must be greater than zero'));
  if (Number(generation) < 0) faults.push(invalid(path.child('generation'), generation, 'must be greater than or equal to zero'));
  return faults;
}

function immutableFaults(spec: ResourceSliceSpec, old: ResourceSliceSpec, path: FieldPath): FieldError[] {
  return [
    ...validateImmutable(spec.pool?.name, old.pool?.name, path.child('pool', 'name')),
    ...validateImmutable(spec.driver, old.driver, path.child('driver')),
    ...validateImmutable(spec.nodeName, old.nodeName, path.child('nodeName')),
  ];
}

function nodeFaults(spec: ResourceSliceSpec, path: FieldPath): FieldError[] {
  const {nodeName, nodeSelector, allNodes, perDeviceNodeSelection} = spec;
  const terms = nodeSelector?.nodeSelectorTerms ?? [];
  const selectorPath = path.child('nodeSelector');
  const given = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector ? ['`nodeSelector`'] : []),
    ...(allNodes ? ['`allNodes`'] : []),
    ...(perDeviceNodeSelection ? ['`perDeviceNodeSelection`'] : []),
  ];
  const detail = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  return [
    ...(nodeName ? invalidFor(path.child('nodeName'), nodeName, dnsSubdomainFaults(nodeName)) : []),
    ...(nodeName === '' ? [invalid(path.child('nodeName'), nodeName, 'must be either unset or set to a non-empty string')] : []),
    ...(nodeSelector ? validateStrictNodeSelector(nodeSelector, selectorPath) : []),
    ...(nodeSelector && terms.length !== 1
      ? [invalid(selectorPath.child('nodeSelectorTerms'), nodeSelector.nodeSelectorTerms, 'must have exactly one node selector term')]
      : []),
    ...unlessTrue(allNodes, path.child('allNodes')),
    ...unlessTrue(perDeviceNodeSelection, path.child('perDeviceNodeSelection')),
    ...(given.length === 0 ? [required(path, detail)] : []),
    ...(given.length > 1 ? [invalid(path, `{${given.join(', ')}}`, `${detail}, but multiple fields are set`)] : []),
  ];
}

function unlessTrue(value: boolean | undefined | null, path: FieldPath): FieldError[] {
  return value === false ? [invalid(path, value, 'must be either unset or set to true')] : [];
}

function validateCounterSet({name, counters}: CounterSet, path: FieldPath): FieldError[] {
  return [
    ...(name ? validateLabelName(name, path.child('name')) : [required(path.child('name'))]),
    ...validateCounters(counters, path.child('counters')),
  ];
}
