import type {Check, Revision} from './check.js';
import {containersWhere} from './checked-containers.js';
import {isFilter, unfilteredViolation} from './seccomp-settings.js';
import {exceptOnWindows} from './windows-exempt.js';
import {named} from './wording.js';

const sinceRelease19: Revision = {
  since: 19,
  replaces: ['seccompProfile_baseline'],
  check({spec}) {
    const unfiltered = unfilteredViolation(spec);
    if (unfiltered || isFilter(spec.securityContext?.seccompProfile)) return unfiltered;
    const containers = containersWhere(spec, ({securityContext}) => !securityContext?.seccompProfile);
    if (containers.length === 0) return undefined;
    const who = `pod or ${named('container', containers)}`;
    return {reason: 'seccompProfile', detail: `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`};
  },
};

/** Every container must have a seccomp profile. */
export const seccompRestricted: Check = {
  id: 'seccompProfile_restricted',
  level: 'restricted',
  revisions: [sinceRelease19, exceptOnWindows(25, sinceRelease19)],
};
