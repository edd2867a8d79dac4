import type {Check, Revision} from './check.js';
import {exceptOnWindows} from './windows-exempt.js';
import {containersWhere} from './checked-containers.js';
import {named, quoted} from './wording.js';

const sinceRelease22: Revision = {
  since: 22,
  replaces: ['capabilities_baseline'],
  check({spec}) {
    const keeping = containersWhere(spec, ({securityContext}) => !(securityContext?.capabilities?.drop ?? []).includes('ALL'));
    const added = new Set<string>();
    const adding = containersWhere(spec, ({securityContext}) => {
      const others = (securityContext?.capabilities?.add ?? []).filter((capability) => capability !== 'NET_BIND_SERVICE');
      for (const capability of others) added.add(capability);
      return others.length > 0;
    });
    const details: string[] = [];
    if (keeping.length > 0) details.push(`${named('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`);
    if (adding.length > 0) {
      details.push(`${named('container', adding)} must not include ${quoted([...added].sort())} in securityContext.capabilities.add`);
    }
    return details.length === 0 ? undefined : {reason: 'unrestricted capabilities', detail: details.join('; ')};
  },
};

/** All capabilities must be dropped, and only the one for low ports may be added. */
export const capabilitiesRestricted: Check = {
  id: 'capabilities_restricted',
  level: 'restricted',
  revisions: [sinceRelease22, exceptOnWindows(25, sinceRelease22)],
};
