import {
  dnsSubdomainFaults,
  invalid,
  notFoundField,
  quantityAmount,
  required,
  tooLong,
  type FieldError,
  type FieldPath,
} from '../../../../sdk/index.js';
import {invalidFor, isGiven, sameValue} from '../../../../sdk/validation/index.js';
import type {
  Counter,
  Device,
  DeviceAttribute,
  DeviceCapacity,
  DeviceCounterConsumption,
  NodeAllocatableResourceMapping,
} from '../../../../sdk/types/unchecked/resource/v1.js';
import {validateStrictNodeSelector} from '../../../families/pods/node-selector.js';
import {bindingFaults} from './binding-faults.js';
import {validateCapacity} from './capacity-faults.js';
import {validateEntries, validateList, validateSet} from './findings.js';
import {longestQualifiedName, validateLabelName, validateQualifiedName} from './names.js';
import {validateTaint} from './taints.js';

/** Whether a resource is one that nodes have by themselves. */
export type NativeResource = (name: string) => boolean;

const maximumProperties = 32;
const maximumAttributeValues = 48;
const maximumTaints = 16;
const maximumCounterSets = 2;
const maximumCounters = 32;
const longestLabelName = 63;
const longestText = 64;
const number = String.raw`(?:0|[1-9]\d*)`;
const prerelease = String.raw`(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const semver = new RegExp(
  String.raw`^${number}\.${number}\.${number}(?:-${prerelease}(?:\.${prerelease})*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$`,
);

/**
 * Errors in a device of a slice.
 *
 * @param old the device of that name before
 * @param choosesNode whether each device of the slice says on which nodes it is
 */
export function validateDevice(
  device: Device,
  old: Device | undefined,
  path: FieldPath,
  choosesNode: boolean,
  isNative: NativeResource,
): FieldError[] {
  const isShared = device.allowMultipleAllocations === true;
  return [
    ...validateLabelName(device.name, path.child('name')),
    ...countFaults(device, path),
    ...validateEntries(
      device.attributes,
      Infinity,
      longestQualifiedName,
      path.child('attributes'),
      validateQualifiedName,
      validateAttribute,
    ),
    ...validateEntries(device.capacity, Infinity, longestQualifiedName, path.child('capacity'), validateQualifiedName, (capacity, at) =>
      validateCapacity(capacity, at, isShared),
    ),
    ...(old && sameValue(old.taints ?? [], device.taints ?? [])
      ? []
      : validateList(device.taints, maximumTaints, path.child('taints'), (taint, at) => validateTaint(taint, at))),
    ...validateSet(
      device.consumesCounters,
      maximumCounterSets,
      path.child('consumesCounters'),
      validateConsumption,
      ({counterSet = ''}) => counterSet,
    ),
    ...(choosesNode ? nodeFaults(device, path) : foreignNodeFaults(device, path)),
    ...bindingFaults(device, path),
    ...mappingFaults(device, path.child('nodeAllocatableResourceMappings'), isNative),
  ];
}

/** Errors in the counters of a set, or in those that a device takes. There are some. */
export function validateCounters(counters: Readonly<Record<string, Counter>> | undefined | null, path: FieldPath): FieldError[] {
  if (Object.keys(counters ?? {}).length === 0) return [required(path)];
  return validateEntries(counters, maximumCounters, longestLabelName, path, validateLabelName, () => []);
}

function countFaults({attributes, capacity}: Device, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const all = Object.values(attributes ?? {});
  const count = all.length + Object.keys(capacity ?? {}).length;
  if (count > maximumProperties)
    faults.push(invalid(path, count, `the total number of attributes and capacities must not exceed ${maximumProperties}`));
  const values = all.reduce((sum, {bools, ints, strings, versions}) => {
    const listed = [bools, ints, strings, versions].reduce((length, list) => length + (list?.length ?? 0), 0);
    return sum + Math.max(listed, 1);
  }, 0);
  if (values > maximumAttributeValues)
    faults.push(invalid(path, values, `the total number of attribute values must not exceed ${maximumAttributeValues}`));
  return faults;
}

function validateAttribute(attribute: DeviceAttribute, path: FieldPath): FieldError[] {
  const {bool, int, string, version} = attribute;
  const lists = (['bools', 'ints', 'strings', 'versions'] as const).filter((member) => isGiven(attribute[member]));
  const faults = [
    ...(isGiven(string) ? textFaults(string, path.child('string')) : []),
    ...(isGiven(version) ? versionFaults(version, path.child('version')) : []),
    ...lists.flatMap((member) =>
      attribute[member]!.length === 0 ? [invalid(path.child(member), attribute[member], 'must not be empty if specified')] : [],
    ),
    ...(attribute.strings ?? []).flatMap((text, index) => textFaults(text, path.child('strings').index(index))),
    ...(attribute.versions ?? []).flatMap((text, index) => versionFaults(text, path.child('versions').index(index))),
  ];
  const count = [bool, int, string, version].filter(isGiven).length + lists.length;
  if (count !== 1) faults.push(invalid(path, count === 0 ? '' : attribute, 'exactly one value must be specified'));
  return faults;
}

function textFaults(text: string, path: FieldPath): FieldError[] {
  return Buffer.byteLength(text) > longestText ? [tooLong(path, longestText)] : [];
}

function versionFaults(text: string, path: FieldPath): FieldError[] {
  const isVersion = Buffer.byteLength(text) <= longestText && semver.test(text);
  const faults = textFaults(text, path);
  return isVersion ? faults : [invalid(path, text, 'must be a string compatible with semver.org spec 2.0.0'), ...faults];
}

function validateConsumption({counterSet, counters}: DeviceCounterConsumption, path: FieldPath): FieldError[] {
  const at = path.child('counterSet');
  return [...(counterSet ? validateLabelName(counterSet, at) : [required(at)]), ...validateCounters(counters, path.child('counters'))];
}

function nodeFaults({nodeName, nodeSelector, allNodes}: Device, path: FieldPath): FieldError[] {
  const given = [...(nodeName ? ['`nodeName`'] : []), ...(nodeSelector ? ['`nodeSelector`'] : []), ...(allNodes ? ['`allNodes`'] : [])];
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  return [
    ...(nodeName ? invalidFor(path.child('nodeName'), nodeName, dnsSubdomainFaults(nodeName)) : []),
    ...(nodeName === '' ? [invalid(path.child('nodeName'), nodeName, 'must not be empty')] : []),
    ...(nodeSelector ? validateStrictNodeSelector(nodeSelector, path.child('nodeSelector')) : []),
    ...(allNodes === false ? [invalid(path.child('allNodes'), allNodes, 'must be either unset or set to true')] : []),
    ...(given.length === 0 ? [required(path, detail)] : []),
    ...(given.length > 1 ? [invalid(path, `{${given.join(', ')}}`, detail)] : []),
  ];
}

function foreignNodeFaults({nodeName, nodeSelector, allNodes}: Device, path: FieldPath): FieldError[] {
  if (!isGiven(nodeName) && !isGiven(nodeSelector) && !isGiven(allNodes)) return [];
  const detail =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  return [invalid(path, null, detail)];
}

function mappingFaults({nodeAllocatableResourceMappings, capacity}: Device, path: FieldPath, isNative: NativeResource): FieldError[] {
  return Object.entries(nodeAllocatableResourceMappings ?? {}).flatMap(([name, mapping]) => {
    const at = path.key(name);
    const faults = isNative(name) ? [] : [invalid(at, name, 'must be a node allocatable resource name')];
    return [...faults, ...validateMapping(mapping, capacity ?? {}, at)];
  });
}

function validateMapping(
  {allocationMultiplier, capacityKey}: NodeAllocatableResourceMapping,
  capacities: Readonly<Record<string, DeviceCapacity>>,
  path: FieldPath,
): FieldError[] {
  if (!isGiven(allocationMultiplier) && !isGiven(capacityKey))
    return [invalid(path, '', 'at least one of allocationMultiplier or capacityKey must be set')];
  const faults: FieldError[] = [];
  if (isGiven(allocationMultiplier) && quantityAmount(allocationMultiplier) <= 0n)
    faults.push(invalid(path.child('allocationMultiplier'), allocationMultiplier, 'must be positive'));
  const keyPath = path.child('capacityKey');
  if (capacityKey === '') faults.push(invalid(keyPath, '', 'capacityKey must not be an empty string'));
  else if (isGiven(capacityKey) && !Object.hasOwn(capacities, capacityKey)) faults.push(notFoundField(keyPath, capacityKey));
  return faults;
}
