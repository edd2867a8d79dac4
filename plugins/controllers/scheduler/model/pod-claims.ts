import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';

/** A claim of devices that a pod names. */
export interface PodClaim {
  /** Undefined while the claim has not been made from its template; empty where none is needed. */
  readonly name: string | undefined;
  /** Whether it has to be the pod's own. */
  readonly isOwn: boolean;
}

const none: readonly PodClaim[] = [];

/** The claims of devices of a pod. */
export function podDeviceClaims({spec, status}: Pod): readonly PodClaim[] {
  const claims = spec?.resourceClaims ?? [];
  if (claims.length === 0) return none;
  return claims.map(({name, resourceClaimName}) => {
    if (resourceClaimName) return {name: resourceClaimName, isOwn: false};
    const made = (status?.resourceClaimStatuses ?? []).find((one) => one.name === name);
    return {name: made && (made.resourceClaimName ?? ''), isOwn: true};
  });
}

export function isSamePodClaims(one: readonly PodClaim[], other: readonly PodClaim[]): boolean {
  return one.length === other.length && one.every(({name}, index) => name === other[index]!.name);
}
