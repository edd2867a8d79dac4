import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  duplicate,
  forbiddenField,
  qualifiedNameFaults,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {validateLabels} from '../../../sdk/labels/index.js';
import {validateIp} from '../../../sdk/net/index.js';
import {invalidFor, isGiven, validateGivenText, validateOneOf, validateOptionalText, validateRange} from '../../../sdk/validation/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {validateAffinity} from './affinity.js';
import {validateContainers, validateHostNetworkPorts} from './containers.js';
import {validateDnsConfig} from './dns-config.js';
import {validateOs} from './os-rules.js';
import {validatePodResourceClaims} from './pod-resource-claims.js';
import type {PodRules} from './pod-rules.js';
import {validateResourceRequirements} from './resource-requirements.js';
import {validatePodSecurityContext} from './security-context.js';
import {validateTolerations} from './tolerations.js';
import {validateTopologySpread} from './topology-spread.js';
import {validateVolumes} from './volumes.js';
import {validateHostProcess} from './windows-options.js';

/** All errors in a pod's spec, alone or in a template, after defaulting. */
export function validatePodSpec(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const {volumes, faults} = validateVolumes(spec.volumes ?? [], path.child('volumes'), rules);
  const claims = new Set((spec.resourceClaims ?? []).map(({name}) => name ?? ''));
  return [
    ...faults,
    ...validatePodResourceClaims(spec.resourceClaims, path.child('resourceClaims')),
    ...validateContainers(spec, path, {rules, volumes, claims}),
    ...validateLife(spec, path),
    ...validatePlacement(spec, path, rules),
    ...validatePodSecurityContext(spec.securityContext, spec, path.child('securityContext')),
    ...validateHostNetworkPorts(spec, path),
    ...validateHostProcess(spec, path, rules),
    ...validateHostUsers(spec, path),
    ...validateIdentity(spec, path),
    ...(spec.overhead ? validateResourceRequirements({limits: spec.overhead}, path.child('overhead'), rules) : []),
    ...validateOs(spec, path),
  ];
}

/** Execution, name resolution and termination of a pod. */
function validateLife(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...validateOneOf(spec.restartPolicy, ['Always', 'Never', 'OnFailure'], path.child('restartPolicy')),
    ...validateOneOf(spec.dnsPolicy, ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], path.child('dnsPolicy')),
    ...validateDnsConfig(spec, path.child('dnsConfig')),
    ...validateRange(spec.activeDeadlineSeconds, 1, 2147483647, path.child('activeDeadlineSeconds')),
    ...(spec.readinessGates ?? []).flatMap(({conditionType = ''}, index) =>
      invalidFor(path.child('readinessGates').index(index).child('conditionType'), conditionType, qualifiedNameFaults(conditionType)),
    ),
  ];
}

/** Scheduling of a pod. */
function validatePlacement(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  return [
    ...validateLabels(spec.nodeSelector, path.child('nodeSelector')),
    ...(spec.affinity ? validateAffinity(spec.affinity, path.child('affinity'), rules) : []),
    ...validateSchedulingGates(spec.schedulingGates ?? [], path.child('schedulingGates')),
    ...validateTopologySpread(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), rules),
    ...validateTolerations(spec.tolerations, path.child('tolerations')),
    ...validateOptionalText(spec.priorityClassName, path.child('priorityClassName'), dnsSubdomainFaults),
    ...validateGivenText(spec.runtimeClassName, path.child('runtimeClassName'), dnsSubdomainFaults),
    ...(isGiven(spec.preemptionPolicy)
      ? validateOneOf(spec.preemptionPolicy, ['Never', 'PreemptLowerPriority'], path.child('preemptionPolicy'))
      : []),
  ];
}

/** The identity and host names of a pod. */
function validateIdentity(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...validateOptionalText(spec.serviceAccountName, path.child('serviceAccountName'), dnsSubdomainFaults),
    ...validateOptionalText(spec.nodeName, path.child('nodeName'), dnsSubdomainFaults),
    ...validateOptionalText(spec.hostname, path.child('hostname'), dnsLabelFaults),
    ...validateOptionalText(spec.subdomain, path.child('subdomain'), dnsLabelFaults),
    ...(spec.hostAliases ?? []).flatMap(({ip = '', hostnames}, index) => {
      const at = path.child('hostAliases').index(index);
      return [
        ...validateIp(ip, at.child('ip')),
        ...(hostnames ?? []).flatMap((name, place) => invalidFor(at.child('hostnames').index(place), name, dnsSubdomainFaults(name))),
      ];
    }),
  ];
}

function validateSchedulingGates(gates: readonly {name?: string}[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({name = ''}, index) => {
    if (name === '') return [required(path.index(index), 'must not be empty')];
    if (seen.has(name)) return [duplicate(path.index(index), name)];
    seen.add(name);
    return [];
  });
}

const sharedWithUserNamespace = ['emptyDir', 'secret', 'downwardAPI', 'configMap', 'projected'] as const;

/** A pod with its own user namespace cannot use the host's namespaces. */
function validateHostUsers(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const faults = (spec.volumes ?? []).flatMap((volume, index) =>
    sharedWithUserNamespace.some((source) => volume[source])
      ? []
      : [forbiddenField(path.child('volumes').index(index), 'volume type not supported when `pod.Spec.HostUsers` is false')],
  );
  const members = ['hostNetwork', 'hostPID', 'hostIPC'] as const;
  return [
    ...faults,
    ...members.filter((member) => spec[member]).map((member) => forbiddenField(path.child(member), 'when `pod.Spec.HostUsers` is false')),
  ];
}
