import type {Check, Revision} from './check.js';
import {containersWhere} from './checked-containers.js';
import {exceptOnWindows} from './windows-exempt.js';
import {named} from './wording.js';

/** The field exists since release 1.8. */
const sinceRelease8: Revision = {
  since: 8,
  check({spec}) {
    const containers = containersWhere(spec, ({securityContext}) => securityContext?.allowPrivilegeEscalation !== false);
    if (containers.length === 0) return undefined;
    const detail = `${named('container', containers)} must set securityContext.allowPrivilegeEscalation=false`;
    return {reason: 'allowPrivilegeEscalation != false', detail};
  },
};

/** Processes must not gain more privileges than their parent. */
export const privilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  level: 'restricted',
  revisions: [sinceRelease8, exceptOnWindows(25, sinceRelease8)],
};
