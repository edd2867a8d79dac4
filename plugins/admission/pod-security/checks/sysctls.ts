import type {Check} from './check.js';

/** Kernel settings that are separate for each pod. */
const safe = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]);

/** Sysctls of the host. */
export const sysctls: Check = {
  id: 'sysctls',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const names = (spec.securityContext?.sysctls ?? []).map(({name}) => name ?? '').filter((name) => !safe.has(name));
        return names.length === 0 ? undefined : {reason: 'forbidden sysctls', detail: names.join(', ')};
      },
    },
  ],
};
