import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {setters} from './wording.js';

/** No container may set root as its user. */
export const runAsUser: Check = {
  id: 'runAsUser',
  level: 'restricted',
  revisions: [
    {
      since: 23,
      check({spec}) {
        const isPod = isRoot(spec.securityContext?.runAsUser);
        const containers = containersWhere(spec, ({securityContext}) => isRoot(securityContext?.runAsUser));
        if (!isPod && containers.length === 0) return undefined;
        return {reason: 'runAsUser=0', detail: `${setters(isPod, containers)} must not set runAsUser=0`};
      },
    },
  ],
};

/** Large integers are no numbers here, so it is compared as one. */
function isRoot(user: unknown): boolean {
  return user !== undefined && user !== null && Number(user) === 0;
}
