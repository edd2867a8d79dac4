import {FieldPath, forbiddenField, invalid, required, tooLong, tooMany, type FieldError} from '../../../../sdk/index.js';
import {formatIp, parseIp} from '../../../../sdk/net/index.js';
import {isGiven, validateConditions, validateImmutable, validateOneOf} from '../../../../sdk/validation/index.js';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaimConsumerReference,
  ResourceClaimSpec,
  ResourceClaimStatus,
} from '../../../../sdk/types/unchecked/resource/v1.js';
import {validateStrictNodeSelector} from '../../../families/pods/node-selector.js';
import {bindingFaults} from './binding-faults.js';
import {validateConfiguration} from './claim-faults.js';
import {validateList, validateSet} from './findings.js';
import {jsonObjectFaults} from './json-object-faults.js';
import {validateDriver, validateLabelName, validatePool, validateUid} from './names.js';
import {RequestNames} from './request-names.js';

const path = FieldPath.of('status');
const allocationPath = path.child('allocation');
const maximumConsumers = 256;
const maximumResults = 32;
const maximumRequests = 32;
/** Those of a claim and of its classes. */
const maximumConfigurations = 64;
const maximumConditions = 8;
const maximumDataBytes = 10 * 1024;
const maximumIps = 16;
const longestInterfaceName = 256;
const longestHardwareAddress = 128;

/** Errors in a changed status of a claim. @param isDeleted whether the claim is being deleted */
export function claimStatusFaults(
  spec: ResourceClaimSpec,
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  isDeleted: boolean,
): FieldError[] {
  const names = RequestNames.of(spec.devices ?? {});
  const allocated = new Set((status.allocation?.devices?.results ?? []).map((result) => JSON.stringify(deviceIdOf(result))));
  const faults = [
    ...validateSet(status.reservedFor, maximumConsumers, path.child('reservedFor'), validateConsumer, ({uid = ''}) => uid),
    ...validateSet(status.devices, Infinity, path.child('devices'), (device, at) => validateDevice(device, at, allocated), deviceIdOf),
    ...reservationFaults(status, old, isDeleted),
  ];
  if (!status.allocation) return faults;
  if (old.allocation) return [...faults, ...validateImmutable(status.allocation, old.allocation, allocationPath)];
  return [...faults, ...validateAllocation(status.allocation, names)];
}

/** What makes an allocated device, or a share of it, different from all others. */
export function deviceIdOf({driver, pool, device, shareID}: AllocatedDeviceStatus | DeviceRequestAllocationResult): object {
  return {Driver: driver ?? '', Pool: pool ?? '', Device: device ?? '', ShareID: shareID ?? ''};
}

function validateConsumer(consumer: ResourceClaimConsumerReference, at: FieldPath): FieldError[] {
  return (['resource', 'name', 'uid'] as const).filter((member) => !consumer[member]).map((member) => required(at.child(member)));
}

function reservationFaults({reservedFor, allocation}: ResourceClaimStatus, old: ResourceClaimStatus, isDeleted: boolean): FieldError[] {
  const consumers = reservedFor ?? [];
  const at = path.child('reservedFor');
  if (consumers.length === 0) return [];
  if (!allocation) return [forbiddenField(at, 'may not be specified when `allocated` is not set')];
  const known = new Set((old.reservedFor ?? []).map(consumerText));
  if (!isDeleted || consumers.every((consumer) => known.has(consumerText(consumer)))) return [];
  return [forbiddenField(at, 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set')];
}

function consumerText({apiGroup, resource, name, uid}: ResourceClaimConsumerReference): string {
  return JSON.stringify([apiGroup ?? '', resource, name, uid]);
}

function validateAllocation({devices, nodeSelector}: AllocationResult, names: RequestNames): FieldError[] {
  const at = allocationPath.child('devices');
  return [
    ...validateList(devices?.results, maximumResults, at.child('results'), (result, place) => validateResult(result, place, names)),
    ...validateList(devices?.config, maximumConfigurations, at.child('config'), (entry, place) => validateSource(entry, place, names)),
    ...(nodeSelector ? validateStrictNodeSelector(nodeSelector, allocationPath.child('nodeSelector')) : []),
  ];
}

function validateResult(result: DeviceRequestAllocationResult, at: FieldPath, names: RequestNames): FieldError[] {
  const {request = '', driver, pool, device, shareID} = result;
  return [
    ...names.validateReference(request, at.child('request')),
    ...validateDriver(driver, at.child('driver')),
    ...validatePool(pool, at.child('pool')),
    ...validateLabelName(device, at.child('device')),
    ...bindingFaults(result, at),
    ...(isGiven(shareID) ? validateUid(shareID, at.child('shareID')) : []),
  ];
}

function validateSource(entry: DeviceAllocationConfiguration, at: FieldPath, names: RequestNames): FieldError[] {
  return [
    ...validateOneOf(entry.source, ['FromClaim', 'FromClass'], at.child('source')),
    ...names.validateReferences(entry.requests, maximumRequests, at.child('requests')),
    ...validateConfiguration(entry, at, false),
  ];
}

function validateDevice(status: AllocatedDeviceStatus, at: FieldPath, allocated: ReadonlySet<string>): FieldError[] {
  const {driver, pool, device, shareID, conditions, data, networkData} = status;
  const id = deviceIdOf(status);
  const count = conditions?.length ?? 0;
  return [
    ...validateDriver(driver, at.child('driver')),
    ...validatePool(pool, at.child('pool')),
    ...validateLabelName(device, at.child('device')),
    ...(isGiven(shareID) ? validateUid(shareID, at.child('shareID')) : []),
    ...(allocated.has(JSON.stringify(id)) ? [] : [invalid(at, id, 'must be an allocated device in the claim')]),
    ...(count > maximumConditions ? [tooMany(at.child('conditions'), count, maximumConditions)] : []),
    ...validateConditions(conditions ?? [], at.child('conditions')),
    ...(isGiven(data) ? jsonObjectFaults(data, at.child('data'), maximumDataBytes) : []),
    ...(networkData ? validateNetwork(networkData, at.child('networkData')) : []),
  ];
}

function validateNetwork({interfaceName = '', hardwareAddress = '', ips}: NetworkDeviceData, at: FieldPath): FieldError[] {
  return [
    ...(Buffer.byteLength(interfaceName) > longestInterfaceName ? [tooLong(at.child('interfaceName'), longestInterfaceName)] : []),
    ...(Buffer.byteLength(hardwareAddress) > longestHardwareAddress ? [tooLong(at.child('hardwareAddress'), longestHardwareAddress)] : []),
    ...validateSet(ips, maximumIps, at.child('ips'), validateInterfaceAddress, (ip) => ip),
  ];
}

/** An address with the length of its network's prefix, in canonical form. */
function validateInterfaceAddress(text: string, at: FieldPath): FieldError[] {
  const [ip = '', length = '', ...others] = text.split('/');
  const address = parseIp(ip);
  const bits = ip.includes(':') ? 128 : 32;
  if (!address || others.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > bits)
    return [invalid(at, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')];
  const prefix = Number(length) - (address.family === 'IPv4' && bits === 128 ? 96 : 0);
  const canonical = `${formatIp(address)}/${prefix}`;
  return text === canonical ? [] : [invalid(at, text, `must be in canonical form (${JSON.stringify(canonical)})`)];
}
