import {forbiddenField, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from './all-containers.js';

const hostMembers = ['hostPID', 'hostIPC'] as const;
const podMembers = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const containerMembers = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Errors in settings that do not apply to the pod's operating system. */
export function validateOs(spec: PodSpec, path: FieldPath): FieldError[] {
  if (!spec.os) return [];
  const at = path.child('os');
  if (!spec.os.name) return [required(at.child('name'), 'cannot be empty')];
  if (spec.os.name === 'linux') return forbidWindows(spec, path);
  if (spec.os.name === 'windows') return forbidLinux(spec, path);
  return validateOptionalOneOf(spec.os.name, ['linux', 'windows'], at);
}

function forbidWindows(spec: PodSpec, path: FieldPath): FieldError[] {
  const detail = 'windows options cannot be set for a linux pod';
  const holders = [
    {context: spec.securityContext, at: path},
    ...allContainers(spec, path).map(({container, at}) => ({context: container.securityContext, at})),
  ];
  return holders
    .filter(({context}) => context?.windowsOptions)
    .map(({at}) => forbiddenField(at.child('securityContext', 'windowsOptions'), detail));
}

function forbidLinux(spec: PodSpec, path: FieldPath): FieldError[] {
  const detail = 'cannot be set for a windows pod';
  const contextPath = path.child('securityContext');
  const faults = hostMembers.filter((member) => spec[member]).map((member) => forbiddenField(path.child(member), detail));
  if (isSet(spec.hostUsers)) faults.push(forbiddenField(path.child('hostUsers'), detail));
  if (isSet(spec.shareProcessNamespace)) faults.push(forbiddenField(path.child('shareProcessNamespace'), detail));
  for (const member of podMembers) {
    if (isSet(spec.securityContext?.[member])) faults.push(forbiddenField(contextPath.child(member), detail));
  }
  for (const {container, at} of allContainers(spec, path)) {
    for (const member of containerMembers) {
      if (isSet(container.securityContext?.[member])) faults.push(forbiddenField(at.child('securityContext', member), detail));
    }
  }
  return faults;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
