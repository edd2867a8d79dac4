import {
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  forbiddenField,
  invalid,
  qualifiedNameFaults,
  type FieldError,
} from '../../../sdk/index.js';
import {ipFamily, validateIp} from '../../../sdk/net/index.js';
import {invalidFor, validateOptionalText} from '../../../sdk/validation/index.js';
import type {ContainerStatus, Pod, PodStatus} from '../../../sdk/types/unchecked/core/v1.js';

const statusPath = FieldPath.of('status');
/** The platform's own conditions, whose names are not qualified. */
const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Errors in the status of a pod. */
export function podStatusFaults(pod: Pod, old: Pod): FieldError[] {
  const status = pod.status ?? {};
  const before = old.status ?? {};
  const policy = old.spec?.restartPolicy ?? 'Always';
  return [
    ...(status.conditions ?? []).flatMap(({type = ''}, index) =>
      ownConditions.has(type) ? [] : invalidFor(statusPath.child('conditions').index(index).child('type'), type, qualifiedNameFaults(type)),
    ),
    ...validateOptionalText(status.nominatedNodeName, statusPath.child('nominatedNodeName'), dnsSubdomainFaults),
    ...transitionFaults(status, before, 'containerStatuses', policy),
    ...transitionFaults(status, before, 'initContainerStatuses', policy),
    ...transitionFaults(status, before, 'ephemeralContainerStatuses', 'Never'),
    ...addressFaults(status.podIPs ?? []),
  ];
}

type StatusMember = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

/** A container that has terminated and must not be restarted cannot run again. */
function transitionFaults(status: PodStatus, before: PodStatus, member: StatusMember, restartPolicy: string): FieldError[] {
  if (restartPolicy === 'Always') return [];
  const running = new Set((status[member] ?? []).filter(({state}: ContainerStatus) => !state?.terminated).map(({name}) => name));
  return (before[member] ?? []).flatMap((old: ContainerStatus, index) => {
    const ended = old.state?.terminated;
    if (!ended || ((ended.exitCode ?? 0) !== 0 && restartPolicy === 'OnFailure')) return [];
    return running.has(old.name)
      ? [forbiddenField(statusPath.child(member).index(index).child('state'), 'may not be transitioned to non-terminated state')]
      : [];
  });
}

function addressFaults(addresses: readonly {ip?: string}[]): FieldError[] {
  const path = statusPath.child('podIPs');
  const seen = new Set<string>();
  const faults = addresses.flatMap(({ip = ''}, index) => {
    const own = validateIp(ip, path.index(index));
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
