import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {named} from './wording.js';

/** Privileged containers. */
export const privileged: Check = {
  id: 'privileged',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const containers = containersWhere(spec, ({securityContext}) => securityContext?.privileged === true);
        if (containers.length === 0) return undefined;
        return {reason: 'privileged', detail: `${named('container', containers)} must not set securityContext.privileged=true`};
      },
    },
  ],
};
