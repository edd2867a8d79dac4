import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {named, quoted} from './wording.js';

/** A `/proc` mount other than the default. */
export const procMount: Check = {
  id: 'procMount',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const types = new Set<string>();
        const containers = containersWhere(spec, ({securityContext}) => {
          const type = securityContext?.procMount;
          if (type === undefined || type === 'Default') return false;
          types.add(type);
          return true;
        });
        if (containers.length === 0) return undefined;
        const detail = `${named('container', containers)} must not set securityContext.procMount to ${quoted([...types].sort())}`;
        return {reason: 'procMount', detail};
      },
    },
  ],
};
