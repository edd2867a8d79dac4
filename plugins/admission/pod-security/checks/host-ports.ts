import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {named, plural} from './wording.js';

/** Ports of the host. */
export const hostPorts: Check = {
  id: 'hostPorts',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const used = new Set<string>();
        const containers = containersWhere(spec, ({ports}) => {
          const onHost = (ports ?? []).filter(({hostPort}) => hostPort);
          for (const {hostPort} of onHost) used.add(String(hostPort));
          return onHost.length > 0;
        });
        if (containers.length === 0) return undefined;
        const verb = containers.length === 1 ? 'uses' : 'use';
        const detail = `${named('container', containers)} ${verb} ${plural('hostPort', used.size)} ${[...used].sort().join(', ')}`;
        return {reason: 'hostPort', detail};
      },
    },
  ],
};
