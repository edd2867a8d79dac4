import type {PodSecurityContext, SecurityContext} from '../../../../sdk/types/unchecked/core/v1.js';
import type {Check, Revision} from './check.js';
import {checkedContainers, containersWhere, containersWith} from './checked-containers.js';
import {unfilteredViolation} from './seccomp-settings.js';
import {named, plural, quoted, setters} from './wording.js';

/** The default capabilities of container runtimes, without NET_RAW. */
const usualCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const selinuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t']);
/** Kernel settings that are separate for each pod. */
const safeSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]);

/** A control that has been the same in all releases. */
function baseline(id: string, check: Revision['check']): Check {
  return {id, level: 'baseline', revisions: [{since: 0, check}]};
}

/** AppArmor profiles other than the runtime's default and profiles on the node. */
const appArmor = baseline('appArmorProfile', ({annotations, spec}, {appArmorContainer}) => {
  const isAllowed = (profile: string) => profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');
  const forbidden = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(appArmorContainer) && !isAllowed(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const typeOf = (context: PodSecurityContext | SecurityContext | undefined | null) => {
    const type = context?.appArmorProfile?.type ?? 'RuntimeDefault';
    return type === 'RuntimeDefault' || type === 'Localhost' ? [] : [type];
  };
  const ofPod = typeOf(spec.securityContext);
  const {containers, values} = containersWith(spec, ({securityContext}) => typeOf(securityContext));
  const all = [...new Set([...ofPod, ...values])].sort().concat(forbidden);
  if (all.length === 0) return undefined;
  const reason = plural('forbidden AppArmor profile', all.length);
  // Only annotations: as before there were fields.
  if (all.length === forbidden.length) return {reason, detail: forbidden.join(', ')};
  const who = setters(ofPod.length > 0, containers) + (forbidden.length > 0 ? ` and ${plural('annotation', forbidden.length)}` : '');
  return {reason, detail: `${who} must not set AppArmor profile type to ${quoted(all)}`};
});

/** Capabilities beyond the usual ones. */
const capabilities = baseline('capabilities_baseline', ({spec}) => {
  const {containers, values} = containersWith(spec, ({securityContext}) =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => !usualCapabilities.has(capability)),
  );
  if (containers.length === 0) return undefined;
  const detail = `${named('container', containers)} must not include ${quoted(values)} in securityContext.capabilities.add`;
  return {reason: 'non-default capabilities', detail};
});

/** The host's network, processes and shared memory. */
const hostNamespaces = baseline('hostNamespaces', ({spec}) => {
  const set = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((member) => spec[member] === true);
  return set.length === 0 ? undefined : {reason: 'host namespaces', detail: set.map((member) => `${member}=true`).join(', ')};
});

const hostPathVolumes = baseline('hostPathVolumes', ({spec}) => {
  const volumes = (spec.volumes ?? []).filter(({hostPath}) => hostPath).map(({name}) => name ?? '');
  return volumes.length === 0 ? undefined : {reason: 'hostPath volumes', detail: named('volume', volumes)};
});

/** Ports of the host. */
const hostPorts = baseline('hostPorts', ({spec}) => {
  const {containers, values} = containersWith(spec, ({ports}) =>
    (ports ?? []).flatMap(({hostPort}) => (hostPort ? [String(hostPort)] : [])),
  );
  if (containers.length === 0) return undefined;
  const verb = containers.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${named('container', containers)} ${verb} ${plural('hostPort', values.length)} ${values.join(', ')}`,
  };
});

/** Windows containers that run on the host itself. */
const hostProcess = baseline('windowsHostProcess', ({spec}) => {
  const isPod = spec.securityContext?.windowsOptions?.hostProcess === true;
  const containers = containersWhere(spec, ({securityContext}) => securityContext?.windowsOptions?.hostProcess === true);
  if (!isPod && containers.length === 0) return undefined;
  return {reason: 'hostProcess', detail: `${setters(isPod, containers)} must not set securityContext.windowsOptions.hostProcess=true`};
});

const privileged = baseline('privileged', ({spec}) => {
  const containers = containersWhere(spec, ({securityContext}) => securityContext?.privileged === true);
  if (containers.length === 0) return undefined;
  return {reason: 'privileged', detail: `${named('container', containers)} must not set securityContext.privileged=true`};
});

/** A `/proc` mount other than the default. */
const procMount = baseline('procMount', ({spec}) => {
  const {containers, values} = containersWith(spec, ({securityContext}) => {
    const type = securityContext?.procMount;
    return type === undefined || type === 'Default' ? [] : [type];
  });
  if (containers.length === 0) return undefined;
  return {reason: 'procMount', detail: `${named('container', containers)} must not set securityContext.procMount to ${quoted(values)}`};
});

/** SELinux options that escape the container's confinement. */
const seLinux = baseline('seLinuxOptions', ({spec}) => {
  const types = new Set<string>();
  let setsUser = false;
  let setsRole = false;
  const isBad = (context: Pick<SecurityContext, 'seLinuxOptions'> | null | undefined): boolean => {
    const {type = '', user = '', role = ''} = context?.seLinuxOptions ?? {};
    if (!selinuxTypes.has(type)) types.add(type);
    setsUser ||= user !== '';
    setsRole ||= role !== '';
    return !selinuxTypes.has(type) || user !== '' || role !== '';
  };
  const isPod = isBad(spec.securityContext);
  const containers = containersWhere(spec, ({securityContext}) => isBad(securityContext));
  if (!isPod && containers.length === 0) return undefined;
  const faults = [
    ...(types.size > 0 ? [named('type', [...types].sort())] : []),
    ...(setsUser ? ['user may not be set'] : []),
    ...(setsRole ? ['role may not be set'] : []),
  ];
  const detail = `${setters(isPod, containers)} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`;
  return {reason: 'seLinuxOptions', detail};
});

/** Unconfined seccomp profiles; before release 1.19 they were set by annotations. */
const seccompProfiles: Check = {
  id: 'seccompProfile_baseline',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({annotations, spec}, {seccompPod, seccompContainer}) {
        const keys = [seccompPod, ...checkedContainers(spec).map(({name}) => seccompContainer + (name ?? ''))];
        const forbidden = [...new Set(keys)]
          .filter((key) => annotations[key] !== undefined && !isAllowedProfile(annotations[key]))
          .map((key) => `${key}=${JSON.stringify(annotations[key])}`)
          .sort();
        if (forbidden.length === 0) return undefined;
        return {reason: 'seccompProfile', detail: `forbidden ${plural('annotation', forbidden.length)} ${forbidden.join(', ')}`};
      },
    },
    {since: 19, check: ({spec}) => unfilteredViolation(spec)},
  ],
};

function isAllowedProfile(profile: string): boolean {
  return profile === 'runtime/default' || profile === 'docker/default' || profile.startsWith('localhost/');
}

/** Sysctls of the host. */
const sysctls = baseline('sysctls', ({spec}) => {
  const names = (spec.securityContext?.sysctls ?? []).map(({name}) => name ?? '').filter((name) => !safeSysctls.has(name));
  return names.length === 0 ? undefined : {reason: 'forbidden sysctls', detail: names.join(', ')};
});

/** The controls of the level `baseline` as of release 1.26. */
export const baselineChecks: readonly Check[] = [
  appArmor,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProcess,
  privileged,
  procMount,
  seLinux,
  seccompProfiles,
  sysctls,
];
