import {
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  forbiddenField,
  invalid,
  qualifiedNameFaults,
  type FeatureGates,
  type FieldError,
} from '../../../sdk/index.js';
import {ipFamily} from '../../../sdk/net/index.js';
import {invalidFor, validateOptionalText} from '../../../sdk/validation/index.js';
import {ipFieldFaults} from '../../families/addresses/address-fields.js';
import {ipWarnings} from '../../families/addresses/address-warnings.js';
import {restarts, restartsAllContainers} from '../../families/pods/restart-policy.js';
import {claimFaults, extendedClaimFaults} from './claim-status-rules.js';
import {containerStatusFaults} from './container-status-rules.js';
import type {ContainerStatus, Pod, PodStatus} from '../../../sdk/types/unchecked/core/v1.js';

const statusPath = FieldPath.of('status');
/** The platform's own conditions, whose names are not qualified. */
const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Errors in the status of a pod. */
export function podStatusFaults(pod: Pod, old: Pod, gates: FeatureGates): FieldError[] {
  const status = pod.status ?? {};
  const before = old.status ?? {};
  const spec = old.spec ?? {};
  return [
    ...(status.conditions ?? []).flatMap(({type = ''}, index) =>
      ownConditions.has(type) ? [] : invalidFor(statusPath.child('conditions').index(index).child('type'), type, qualifiedNameFaults(type)),
    ),
    ...nominationFaults(status, old, gates),
    ...(restartsAllContainers(spec)
      ? []
      : [
          ...transitionFaults(status, before, 'containerStatuses', restarts(spec, spec.containers)),
          ...transitionFaults(status, before, 'initContainerStatuses', restarts(spec, spec.initContainers)),
        ]),
    ...transitionFaults(status, before, 'ephemeralContainerStatuses', () => false),
    ...generationFaults(status),
    ...claimFaults(status.resourceClaimStatuses ?? [], pod.spec ?? {}),
    ...extendedClaimFaults(status.extendedResourceClaimStatus, pod.spec ?? {}),
    ...addressFaults(status.podIPs ?? [], statusPath.child('podIPs'), gates, before.podIPs),
    ...hostAddressFaults(status, gates, before.hostIPs),
    ...containerStatusFaults(pod),
  ];
}

/** A node that a pod may get; one that has a node is promised no other where bindings forget what was promised. */
function nominationFaults({nominatedNodeName: name}: PodStatus, {spec, status}: Pod, gates: FeatureGates): FieldError[] {
  if (!name || name === status?.nominatedNodeName) return [];
  const path = statusPath.child('nominatedNodeName');
  const isBound = gates.enabled('ClearingNominatedNodeNameAfterBinding') && spec?.nodeName;
  return [
    ...validateOptionalText(name, path, dnsSubdomainFaults),
    ...(isBound ? [forbiddenField(path, 'may not be set on pods that are already bound to a node')] : []),
  ];
}

type StatusMember = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

/** A container that has terminated and must not be restarted cannot run again. */
function transitionFaults(
  status: PodStatus,
  before: PodStatus,
  member: StatusMember,
  isRestarted: (name: string | undefined, exitCode: number) => boolean,
): FieldError[] {
  const running = new Set((status[member] ?? []).filter(({state}: ContainerStatus) => !state?.terminated).map(({name}) => name));
  return (before[member] ?? []).flatMap((old: ContainerStatus, index) => {
    const ended = old.state?.terminated;
    if (!ended || isRestarted(old.name, ended.exitCode ?? 0)) return [];
    return running.has(old.name)
      ? [forbiddenField(statusPath.child(member).index(index).child('state'), 'may not be transitioned to non-terminated state')]
      : [];
  });
}

function addressFaults(
  addresses: readonly {ip?: string}[],
  path: FieldPath,
  gates: FeatureGates,
  before: readonly {ip?: string}[] = [],
): FieldError[] {
  const seen = new Set<string>();
  const stored = before.map(({ip = ''}) => ip);
  const faults = addresses.flatMap(({ip = ''}, index) => {
    const own = ipFieldFaults(ip, path.index(index), gates, stored);
    if (seen.has(ip)) own.push(duplicate(path.index(index), ip));
    seen.add(ip);
    return own;
  });
  const families = addresses.map(({ip = ''}) => ipFamily(ip));
  if (addresses.length > 2 || new Set(families).size < families.length) {
    faults.push(invalid(path, addresses, 'may specify no more than one IP for each IP family'));
  }
  return faults;
}

/** `hostIP` is the first of `hostIPs`. */
function hostAddressFaults({hostIP = '', hostIPs}: PodStatus, gates: FeatureGates, before: PodStatus['hostIPs']): FieldError[] {
  const path = statusPath.child('hostIPs');
  const [first] = hostIPs ?? [];
  if (!hostIPs || !first) return [];
  const {ip = ''} = first;
  return [
    ...(ip === hostIP ? [] : [invalid(path.index(0).child('ip'), ip, 'must be equal to `hostIP`')]),
    ...addressFaults(hostIPs, path, gates, before),
  ];
}

/** Warnings about addresses in the status of a pod that are not in their proper form, in Kubernetes' words. */
export function podStatusWarnings({podIPs, hostIPs}: PodStatus, gates: FeatureGates): string[] {
  if (!gates.enabled('AddressForms')) return [];
  return Object.entries({podIPs, hostIPs}).flatMap(([member, addresses]) =>
    (addresses ?? []).flatMap(({ip}, index) => ipWarnings(ip, statusPath.child(member).index(index).child('ip'))),
  );
}

function generationFaults({observedGeneration, conditions}: PodStatus): FieldError[] {
  const given = [
    ...(conditions ?? []).map((condition, index) => ({
      value: condition.observedGeneration,
      at: statusPath.child('conditions').index(index),
    })),
    {value: observedGeneration, at: statusPath},
  ];
  return given.flatMap(({value, at}) =>
    Number(value ?? 0) < 0 ? [invalid(at.child('observedGeneration'), value, 'must be a non-negative integer')] : [],
  );
}
