import {duplicate, FieldPath, forbiddenField, invalid, required, tooLong, tooMany, type FieldError} from '../../../../sdk/index.js';
import {validateImmutable} from '../../../../sdk/validation/index.js';
import type {
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '../../../../sdk/types/unchecked/resource/v1alpha1.js';
import type {AllocationResult as Allocation, ResourceHandle} from '../../../../sdk/types/unchecked/resource/v1alpha2.js';
import {validateCsiDriverName} from '../../../families/volumes/csi-driver-name.js';
import {validateNodeSelector} from '../../../families/pods/node-selector.js';
import {structuredHandleFaults} from './named-resources.js';

const statusPath = FieldPath.of('status');
const allocationPath = statusPath.child('allocation');
const reservedPath = statusPath.child('reservedFor');
const requestedPath = statusPath.child('deallocationRequested');
const maximumConsumers = 32;
const maximumHandles = 32;
const maximumHandleBytes = 16 * 1024;

/** Errors in a changed claim status: the allocation is immutable, and is released only when nobody uses it. */
export function claimStatusFaults(object: ResourceClaim, old: ResourceClaim, version: string): FieldError[] {
  const status = object.status ?? {};
  const before = old.status ?? {};
  const faults = [
    ...driverFaults(status),
    ...allocationFaults(status),
    ...consumerFaults(status.reservedFor ?? []),
    ...reservationFaults(object, before, version),
  ];
  if (before.allocation && status.allocation) faults.push(...validateImmutable(status.allocation, before.allocation, allocationPath));
  return [...faults, ...deallocationFaults(status, before, version)];
}

function driverFaults({driverName, allocation}: ResourceClaimStatus): FieldError[] {
  const path = statusPath.child('driverName');
  if (driverName) return validateCsiDriverName(driverName, path);
  return allocation ? [required(path, 'must be specified when `allocation` is set')] : [];
}

function allocationFaults({allocation}: ResourceClaimStatus): FieldError[] {
  if (!allocation) return [];
  const {resourceHandle = '', availableOnNodes} = allocation;
  const {resourceHandles} = allocation as Allocation;
  const faults =
    Buffer.byteLength(resourceHandle) > maximumHandleBytes ? [tooLong(allocationPath.child('resourceHandle'), maximumHandleBytes)] : [];
  faults.push(...handleFaults(resourceHandles ?? []));
  if (availableOnNodes) faults.push(...validateNodeSelector(availableOnNodes, allocationPath.child('availableOnNodes')));
  return faults;
}

/** Since 1.27 several drivers may allocate something for a claim. */
function handleFaults(handles: readonly ResourceHandle[]): FieldError[] {
  const path = allocationPath.child('resourceHandles');
  const faults = handles.flatMap(({driverName, data = '', structuredData}, index) => {
    const at = path.index(index);
    const own = validateCsiDriverName(driverName, at.child('driverName'));
    if (Buffer.byteLength(data) > maximumHandleBytes) own.push(tooLong(at.child('data'), maximumHandleBytes));
    if (structuredData) own.push(...structuredHandleFaults(structuredData, at.child('structuredData')));
    if (data !== '' && structuredData) own.push(invalid(at, null, 'data and structuredData are mutually exclusive'));
    return own;
  });
  return handles.length > maximumHandles ? [...faults, tooMany(path, handles.length, maximumHandles)] : faults;
}

function consumerFaults(consumers: readonly ResourceClaimConsumerReference[]): FieldError[] {
  const seen = new Set<string>();
  const faults = consumers.flatMap((consumer, index) => {
    const path = reservedPath.index(index);
    const missing = (['resource', 'name', 'uid'] as const)
      .filter((member) => !consumer[member])
      .map((member) => required(path.child(member)));
    const {uid} = consumer;
    if (uid && seen.has(uid)) missing.push(duplicate(path.child('uid'), uid));
    seen.add(uid ?? '');
    return missing;
  });
  if (consumers.length > maximumConsumers) faults.push(tooMany(reservedPath, consumers.length, maximumConsumers));
  return faults;
}

function reservationFaults({metadata, status = {}}: ResourceClaim, before: ResourceClaimStatus, version: string): FieldError[] {
  const consumers = status.reservedFor ?? [];
  if (consumers.length === 0) return [];
  const member = version === 'v1alpha2' ? 'allocated' : 'allocation';
  if (!status.allocation) return [forbiddenField(reservedPath, `may not be specified when \`${member}\` is not set`)];
  const faults: FieldError[] = [];
  if (!status.allocation.shareable && consumers.length > 1) faults.push(forbiddenField(reservedPath, 'may not be reserved more than once'));
  if (metadata.deletionTimestamp || status.deallocationRequested) {
    const known = new Set((before.reservedFor ?? []).map(({uid}) => uid));
    if (consumers.some(({uid}) => !known.has(uid))) {
      faults.push(
        forbiddenField(reservedPath, 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'),
      );
    }
  }
  return faults;
}

function deallocationFaults(status: ResourceClaimStatus, before: ResourceClaimStatus, version: string): FieldError[] {
  const faults: FieldError[] = [];
  if (status.deallocationRequested) {
    if (!before.deallocationRequested && (status.reservedFor ?? []).length > 0) {
      faults.push(forbiddenField(requestedPath, 'deallocation cannot be requested while `reservedFor` is set'));
    }
    if (!status.allocation && version !== 'v1alpha2')
      faults.push(forbiddenField(requestedPath, 'may not be set when `allocation` is not set'));
    else if (!status.allocation) faults.push(forbiddenField(statusPath, '`allocation` must be set when `deallocationRequested` is set'));
  } else if (before.deallocationRequested && status.allocation) {
    faults.push(forbiddenField(requestedPath, 'may not be cleared when `allocation` is set'));
  }
  return faults;
}
