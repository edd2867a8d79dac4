import {duplicate, FieldPath, forbiddenField, invalid, notSupported, required, tooLong, type FieldError} from '../../../sdk/index.js';
import {validateAccountId} from '../../../sdk/validation/index.js';
import type {Container, ContainerStatus, Pod, ResourceHealth, ResourceStatus} from '../../../sdk/types/unchecked/core/v1.js';

const statusPath = FieldPath.of('status');
/** In bytes. */
const maximumHealthMessage = 1024;

/** Errors in what is known of the containers of a pod: as whom they run, and whether their devices are well. */
export function containerStatusFaults({spec = {}, status = {}}: Pod): FieldError[] {
  const isWindows = spec.os?.name === 'windows';
  const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;
  const users = lists.flatMap((member) =>
    (status[member] ?? []).flatMap((one: ContainerStatus, index) => userFaults(one, statusPath.child(member).index(index), isWindows)),
  );
  const forbidden = (status.ephemeralContainerStatuses ?? []).flatMap(({allocatedResourcesStatus}: ContainerStatus, index) => {
    const at = statusPath.child('ephemeralContainerStatuses').index(index).child('allocatedResourcesStatus');
    return allocatedResourcesStatus?.length ? [forbiddenField(at, 'must not be specified in container status')] : [];
  });
  return [
    ...users,
    ...healthFaults(status.containerStatuses ?? [], spec.containers ?? [], statusPath.child('containerStatuses')),
    ...healthFaults(status.initContainerStatuses ?? [], spec.initContainers ?? [], statusPath.child('initContainerStatuses')),
    ...forbidden,
  ];
}

function userFaults({user}: ContainerStatus, path: FieldPath, isWindows: boolean): FieldError[] {
  if (!user?.linux) return [];
  const at = path.child('user', 'linux');
  if (isWindows) return [forbiddenField(at, 'cannot be set for a windows pod')];
  const {uid, gid, supplementalGroups} = user.linux;
  return [
    ...validateAccountId(uid, at.child('uid')),
    ...validateAccountId(gid, at.child('gid')),
    ...(supplementalGroups ?? []).flatMap((group, index) => validateAccountId(group, at.child('supplementalGroups').index(index))),
  ];
}

function healthFaults(statuses: readonly ContainerStatus[], containers: readonly Container[], path: FieldPath): FieldError[] {
  return statuses.flatMap(({name, allocatedResourcesStatus}, index) => {
    const container = containers.find((one) => one.name === name);
    return (allocatedResourcesStatus ?? []).flatMap((resource, place) => {
      const at = path.index(index).child('allocatedResourcesStatus').index(place);
      return [
        ...(container ? resourceFaults(resource, container, at) : []),
        ...deviceFaults(resource.resources ?? [], at.child('resources')),
      ];
    });
  });
}

/** A resource that the container requests, or a claim that it uses. */
function resourceFaults({name = ''}: ResourceStatus, {resources}: Container, path: FieldPath): FieldError[] {
  const isClaim = name.startsWith('claim:');
  const known = isClaim
    ? (resources?.claims ?? []).map((claim) => `claim:${claim.name ?? ''}${claim.request ? `/${claim.request}` : ''}`)
    : Object.keys(resources?.requests ?? {});
  if (known.includes(name)) return [];
  const detail = isClaim
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  return [invalid(path.child('name'), name, detail)];
}

function deviceFaults(devices: readonly ResourceHealth[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  const states = ['Healthy', 'Unhealthy', 'Unknown'];
  return devices.flatMap(({resourceID = '', health = '', message}, index) => {
    const at = path.index(index);
    const faults = states.includes(health) ? [] : [notSupported(at.child('health'), health, states)];
    if (message === '') faults.push(required(at.child('message'), 'must be non-empty if specified'));
    if (message && Buffer.byteLength(message) > maximumHealthMessage) faults.push(tooLong(at.child('message'), maximumHealthMessage));
    if (seen.has(resourceID)) faults.push(duplicate(at.child('resourceID'), resourceID));
    seen.add(resourceID);
    return faults;
  });
}
