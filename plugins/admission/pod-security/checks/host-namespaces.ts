import type {Check} from './check.js';

/** The host's network, processes and shared memory. */
export const hostNamespaces: Check = {
  id: 'hostNamespaces',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const set = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((member) => spec[member] === true);
        return set.length === 0 ? undefined : {reason: 'host namespaces', detail: set.map((member) => `${member}=true`).join(', ')};
      },
    },
  ],
};
