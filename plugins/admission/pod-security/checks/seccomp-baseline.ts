import type {Check} from './check.js';
import {checkedContainers} from './checked-containers.js';
import {unfilteredViolation} from './seccomp-settings.js';
import {plural} from './wording.js';

/** Unconfined seccomp profiles; before release 1.19 they were set by annotations. */
export const seccompBaseline: Check = {
  id: 'seccompProfile_baseline',
  level: 'baseline',
  revisions: [
    {
      since: 0,
      check({annotations, spec}, {seccompPod, seccompContainer}) {
        const keys = [seccompPod, ...checkedContainers(spec).map(({name}) => seccompContainer + (name ?? ''))];
        const forbidden = [...new Set(keys)]
          .filter((key) => annotations[key] !== undefined && !isAllowed(annotations[key]))
          .map((key) => `${key}=${JSON.stringify(annotations[key])}`)
          .sort();
        if (forbidden.length === 0) return undefined;
        return {reason: 'seccompProfile', detail: `forbidden ${plural('annotation', forbidden.length)} ${forbidden.join(', ')}`};
      },
    },
    {since: 19, check: ({spec}) => unfilteredViolation(spec)},
  ],
};

function isAllowed(profile: string): boolean {
  return profile === 'runtime/default' || profile === 'docker/default' || profile.startsWith('localhost/');
}
