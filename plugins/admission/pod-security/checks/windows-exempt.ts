import type {Revision} from './check.js';

/** The revision that exempts Windows pods, where the setting does not exist. */
export function exceptOnWindows(since: number, {check, ...rest}: Revision): Revision {
  return {...rest, since, check: (pod, keys) => (pod.spec.os?.name === 'windows' ? undefined : check(pod, keys))};
}
