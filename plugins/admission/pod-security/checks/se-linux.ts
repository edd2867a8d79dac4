import type {SecurityContext} from '../../../families/pods/types.js';
import type {Check} from './check.js';
import {containersWhere} from './checked-containers.js';
import {named, setters} from './wording.js';

const containerTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t']);

/** SELinux options that escape the container's confinement. */
export const seLinux: Check = {
  id: 'seLinuxOptions',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const types = new Set<string>();
        let setsUser = false;
        let setsRole = false;
        const isBad = (context: Pick<SecurityContext, 'seLinuxOptions'> | null | undefined): boolean => {
          const {type = '', user = '', role = ''} = context?.seLinuxOptions ?? {};
          if (!containerTypes.has(type)) types.add(type);
          setsUser ||= user !== '';
          setsRole ||= role !== '';
          return !containerTypes.has(type) || user !== '' || role !== '';
        };
        const isPod = isBad(spec.securityContext);
        const containers = containersWhere(spec, ({securityContext}) => isBad(securityContext));
        if (!isPod && containers.length === 0) return undefined;
        const faults = [
          ...(types.size > 0 ? [named('type', [...types].sort())] : []),
          ...(setsUser ? ['user may not be set'] : []),
          ...(setsRole ? ['role may not be set'] : []),
        ];
        return {
          reason: 'seLinuxOptions',
          detail: `${setters(isPod, containers)} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`,
        };
      },
    },
  ],
};
