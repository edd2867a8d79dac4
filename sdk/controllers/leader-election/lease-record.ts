import type {ApiObject} from '../../objects/api-object.js';
import type {Unchecked} from '../../objects/unchecked.js';
import type * as coordination from '../../types/coordination/v1.js';
import {microTime} from '../../values/micro-time.js';

export type Lease = Unchecked<coordination.Lease> & ApiObject;

/** Leases of leaders, in the neutral form. */
export const leases = {group: 'coordination.orch', version: 'v1', resource: 'leases'};

/** Holder of a lease; empty if it is not held. */
export function holderOf(lease: Lease | undefined): string {
  return lease?.spec?.holderIdentity ?? '';
}

/** Changes whenever the holder has done something: a lease for which it stays the same has not been renewed. */
export function stateOf({spec = {}}: Lease): string {
  return JSON.stringify([spec.holderIdentity, spec.acquireTime, spec.renewTime, spec.leaseTransitions, spec.leaseDurationSeconds]);
}

/** The lease after it has been acquired or renewed. */
export function heldLease(lease: Lease, holder: string, seconds: number, annotations: Readonly<Record<string, string>>): Lease {
  const {metadata, spec = {}} = lease;
  const now = microTime();
  const goesOn = spec.holderIdentity === holder;
  return {
    ...lease,
    metadata: {...metadata, ...(Object.keys(annotations).length > 0 ? {annotations: {...metadata.annotations, ...annotations}} : {})},
    spec: {
      ...spec,
      holderIdentity: holder,
      leaseDurationSeconds: seconds,
      acquireTime: goesOn ? (spec.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? 0) + (goesOn || metadata.resourceVersion === undefined ? 0 : 1),
    },
  };
}

/** The lease after its release, so that candidates need not wait until it expires. */
export function releasedLease(lease: Lease): Lease {
  const now = microTime();
  return {...lease, spec: {...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now}};
}
