import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {named, quoted} from './wording.js';

/** The default capabilities of container runtimes, without NET_RAW. */
const usual = new Set([
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

/** Capabilities beyond the usual ones. */
export const capabilitiesBaseline: Check = {
  id: 'capabilities_baseline',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const added = new Set<string>();
        const containers = containersWhere(spec, ({securityContext}) => {
          const unusual = (securityContext?.capabilities?.add ?? []).filter((capability) => !usual.has(capability));
          for (const capability of unusual) added.add(capability);
          return unusual.length > 0;
        });
        if (containers.length === 0) return undefined;
        const which = quoted([...added].sort());
        return {
          reason: 'non-default capabilities',
          detail: `${named('container', containers)} must not include ${which} in securityContext.capabilities.add`,
        };
      },
    },
  ],
};
