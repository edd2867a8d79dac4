import type {Check} from './check.js';
import {plural} from './wording.js';

/** AppArmor profiles other than the runtime's default and profiles on the node. */
export const appArmor: Check = {
  id: 'appArmorProfile',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({annotations}, {appArmorContainer}) {
        const forbidden = Object.entries(annotations)
          .filter(([key, value]) => key.startsWith(appArmorContainer) && !isAllowed(value))
          .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
          .sort();
        if (forbidden.length === 0) return undefined;
        return {reason: plural('forbidden AppArmor profile', forbidden.length), detail: forbidden.join(', ')};
      },
    },
  ],
};

function isAllowed(profile: string): boolean {
  return profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');
}
