import type {Violation} from './check.js';
import {containersWhere} from './checked-containers.js';
import {quoted, setters} from './wording.js';
import type {PodSpec, SeccompProfile} from '../../../../sdk/types/unchecked/core/v1.js';

/** Whether a profile filters system calls. */
export function isFilter(profile: SeccompProfile | null | undefined): boolean {
  return profile?.type === 'RuntimeDefault' || profile?.type === 'Localhost';
}

/** Profiles that are set but unconfined. */
export function unfilteredViolation(spec: PodSpec): Violation | undefined {
  const types = new Set<string>();
  const isBad = (profile: SeccompProfile | null | undefined): boolean => {
    if (!profile || isFilter(profile)) return false;
    types.add(profile.type ?? '');
    return true;
  };
  const isPod = isBad(spec.securityContext?.seccompProfile);
  const containers = containersWhere(spec, ({securityContext}) => isBad(securityContext?.seccompProfile));
  if (!isPod && containers.length === 0) return undefined;
  const detail = `${setters(isPod, containers)} must not set securityContext.seccompProfile.type to ${quoted([...types].sort())}`;
  return {reason: 'seccompProfile', detail};
}
