import {forbiddenField, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from './all-containers.js';
import {mayUse, type PodRules} from './pod-rules.js';

const sharedVolumes = ['emptyDir', 'secret', 'downwardAPI', 'configMap', 'projected'] as const;
const hostMembers = ['hostNetwork', 'hostPID', 'hostIPC'] as const;
/** As Kubernetes spells them in these messages. */
const shownMembers: Readonly<Record<string, string>> = {hostPID: 'HostPID', hostIPC: 'HostIPC'};

/** A pod with its own user namespace cannot use the host's namespaces, nor volumes and devices whose owners are those of the host. */
export function validateHostUsers(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  if (spec.hostUsers !== false) return [];
  // The feature had another name while it allowed few volumes.
  if (!rules.gates.enabled('UserNamespacesSupport')) return validateStateless(spec, path);
  const isNetworkAllowed = mayUse(
    rules,
    'UserNamespacesHostNetworkSupport',
    ({hostUsers, hostNetwork}) => hostUsers === false && hostNetwork === true,
  );
  const faults = hostMembers
    .filter((member) => spec[member] && !(member === 'hostNetwork' && isNetworkAllowed))
    .map((member) => forbiddenField(path.child(shownMembers[member] ?? member), 'when `hostUsers` is false'));
  if (rules.stored && rules.stored.hostUsers === false && devicesOf(rules.stored, path).length > 0) return faults;
  return [...faults, ...devicesOf(spec, path).map((at) => forbiddenField(at, 'when `hostUsers` is false'))];
}

function devicesOf(spec: PodSpec, path: FieldPath): FieldPath[] {
  return allContainers(spec, path).flatMap(({container, at}) => (container.volumeDevices?.length ? [at.child('volumeDevices')] : []));
}

function validateStateless(spec: PodSpec, path: FieldPath): FieldError[] {
  const faults = (spec.volumes ?? []).flatMap((volume, index) =>
    sharedVolumes.some((source) => volume[source])
      ? []
      : [forbiddenField(path.child('volumes').index(index), 'volume type not supported when `pod.Spec.HostUsers` is false')],
  );
  const members = hostMembers.filter((member) => spec[member]);
  return [...faults, ...members.map((member) => forbiddenField(path.child(member), 'when `pod.Spec.HostUsers` is false'))];
}
