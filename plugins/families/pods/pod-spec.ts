import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  duplicate,
  forbiddenField,
  invalid,
  qualifiedNameFaults,
  tooLong,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {validateLabels} from '../../../sdk/labels/index.js';
import {invalidFor, isGiven, validateGivenText, validateOneOf, validateOptionalText, validateRange} from '../../../sdk/validation/index.js';
import type {PodSchedulingGroup, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {ipFieldFaults} from '../addresses/address-fields.js';
import {validateAffinity} from './affinity.js';
import {validateContainers, validateHostNetworkPorts} from './containers.js';
import {validateDnsConfig} from './dns-config.js';
import {validateFileVolumes} from './environment.js';
import {validateHostUsers} from './host-users.js';
import {validateOs} from './os-rules.js';
import {validatePodResourceClaims} from './pod-resource-claims.js';
import {validatePodResources} from './pod-resources.js';
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
    ...validatePodResourceClaims(spec.resourceClaims, path.child('resourceClaims'), rules),
    ...validateContainers(spec, path, {rules, spec, volumes, claims}),
    ...validatePodResources(spec, path.child('resources'), rules),
    ...validateLife(spec, path, rules),
    ...validatePlacement(spec, path, rules),
    ...validatePodSecurityContext(spec.securityContext, spec, path.child('securityContext'), rules),
    ...validateHostNetworkPorts(spec, path),
    ...validateHostProcess(spec, path, rules),
    ...validateHostUsers(spec, path, rules),
    ...validateIdentity(spec, path, rules),
    ...(spec.overhead ? validateResourceRequirements({limits: spec.overhead}, path.child('overhead'), rules) : []),
    ...validateOs(spec, path),
    ...validateFileVolumes(spec, path),
  ];
}

/** Execution, name resolution and termination of a pod. */
function validateLife(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  return [
    ...validateOneOf(spec.restartPolicy, ['Always', 'Never', 'OnFailure'], path.child('restartPolicy')),
    ...validateOneOf(spec.dnsPolicy, ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], path.child('dnsPolicy')),
    ...validateDnsConfig(spec, path.child('dnsConfig'), rules),
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
    ...(spec.schedulingGroup ? validateSchedulingGroup(spec.schedulingGroup, path.child('schedulingGroup')) : []),
    ...validateTopologySpread(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), rules),
    ...validateTolerations(spec.tolerations, path.child('tolerations'), rules),
    ...validateOptionalText(spec.priorityClassName, path.child('priorityClassName'), dnsSubdomainFaults),
    ...validateGivenText(spec.runtimeClassName, path.child('runtimeClassName'), dnsSubdomainFaults),
    ...(isGiven(spec.preemptionPolicy)
      ? validateOneOf(spec.preemptionPolicy, ['Never', 'PreemptLowerPriority'], path.child('preemptionPolicy'))
      : []),
  ];
}

/** The identity and host names of a pod. */
function validateIdentity(spec: PodSpec, path: FieldPath, {gates}: PodRules): FieldError[] {
  return [
    ...validateOptionalText(spec.serviceAccountName, path.child('serviceAccountName'), dnsSubdomainFaults),
    ...validateOptionalText(spec.nodeName, path.child('nodeName'), dnsSubdomainFaults),
    ...validateOptionalText(spec.hostname, path.child('hostname'), dnsLabelFaults),
    ...validateHostnameOverride(spec, path.child('hostnameOverride')),
    ...validateOptionalText(spec.subdomain, path.child('subdomain'), dnsLabelFaults),
    ...(spec.hostAliases ?? []).flatMap(({ip = '', hostnames}, index) => {
      const at = path.child('hostAliases').index(index);
      return [
        ...ipFieldFaults(ip, at.child('ip'), gates),
        ...(hostnames ?? []).flatMap((name, place) => invalidFor(at.child('hostnames').index(place), name, dnsSubdomainFaults(name))),
      ];
    }),
  ];
}

function validateSchedulingGates(gates: readonly {name?: string}[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({name = ''}, index) => {
    const faults = invalidFor(path.index(index), name, qualifiedNameFaults(name));
    if (seen.has(name)) faults.push(duplicate(path.index(index), name));
    seen.add(name);
    return faults;
  });
}

/** The longest host name on Linux. */
const maximumHostname = 64;

/** A name for the pod's own use, which DNS does not know. */
function validateHostnameOverride({hostnameOverride: name, setHostnameAsFQDN, hostNetwork}: PodSpec, path: FieldPath): FieldError[] {
  if (!isGiven(name)) return [];
  const faults: FieldError[] = [];
  if (setHostnameAsFQDN) faults.push(forbiddenField(path, 'may not be specified when setHostnameAsFQDN is true'));
  if (hostNetwork) faults.push(forbiddenField(path, 'may not be specified when hostNetwork is true'));
  if (name.length > maximumHostname) faults.push(tooLong(path, maximumHostname));
  return [...faults, ...invalidFor(path, name, dnsSubdomainFaults(name))];
}

function validateSchedulingGroup(group: PodSchedulingGroup, path: FieldPath): FieldError[] {
  const at = path.child('podGroupName');
  if (!isGiven(group.podGroupName)) return [invalid(at, null, 'must specify one of: `podGroupName`')];
  return invalidFor(at, group.podGroupName, dnsSubdomainFaults(group.podGroupName));
}
