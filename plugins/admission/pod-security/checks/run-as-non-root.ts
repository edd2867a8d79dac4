import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {named, setters} from './wording.js';

/** No container may run as root. */
export const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  level: 'restricted',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const reason = 'runAsNonRoot != true';
        const ofPod = spec.securityContext?.runAsNonRoot;
        const allowing = containersWhere(spec, ({securityContext}) => securityContext?.runAsNonRoot === false);
        if (ofPod === false || allowing.length > 0) {
          return {reason, detail: `${setters(ofPod === false, allowing)} must not set securityContext.runAsNonRoot=false`};
        }
        const silent =
          ofPod === true ? [] : containersWhere(spec, ({securityContext}) => typeof securityContext?.runAsNonRoot !== 'boolean');
        if (silent.length === 0) return undefined;
        return {reason, detail: `pod or ${named('container', silent)} must set securityContext.runAsNonRoot=true`};
      },
    },
  ],
};
