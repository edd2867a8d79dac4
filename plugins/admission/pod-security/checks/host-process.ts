import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {setters} from './wording.js';

/** Windows containers that run on the host itself. */
export const hostProcess: Check = {
  id: 'windowsHostProcess',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const isPod = spec.securityContext?.windowsOptions?.hostProcess === true;
        const containers = containersWhere(spec, ({securityContext}) => securityContext?.windowsOptions?.hostProcess === true);
        if (!isPod && containers.length === 0) return undefined;
        return {
          reason: 'hostProcess',
          detail: `${setters(isPod, containers)} must not set securityContext.windowsOptions.hostProcess=true`,
        };
      },
    },
  ],
};
