import type {Check} from './check.js';
import {named} from './wording.js';

/** hostPath volumes. */
export const hostPathVolumes: Check = {
  id: 'hostPathVolumes',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({spec}) {
        const volumes = (spec.volumes ?? []).filter(({hostPath}) => hostPath).map(({name}) => name ?? '');
        return volumes.length === 0 ? undefined : {reason: 'hostPath volumes', detail: named('volume', volumes)};
      },
    },
  ],
};
