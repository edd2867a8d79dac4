import {componentPrefix, type NamingProfile} from '../../sdk/index.js';
import type {ControllerContribution} from '../../sdk/plugin/manifest.js';

/** The lease of the built-in controllers that run by default; under the platform's own name for it. Kubernetes' controller manager takes the same. */
const sharedLease = 'controller-manager';
/** The lease of those that Kubernetes' API server runs itself: they go on while Kubernetes' controller manager has the other lease. */
const apiServerLease = 'apiserver';

/** On a lease: its holder when the annotation was written, a space, and the names of the controllers that it runs. */
export const controllersAnnotation = 'control-plane.orch/controllers';

export function sharedLeaseName(naming: NamingProfile): string {
  return `${componentPrefix(naming)}-${sharedLease}`;
}

/** The lease that decides where a controller runs; undefined for one that runs everywhere. */
export function leaseName({name, leaderElection = true}: ControllerContribution, naming: NamingProfile): string | undefined {
  if (leaderElection === false) return undefined;
  const lease = leaderElection === true ? name : leaderElection;
  return lease === sharedLease || lease === apiServerLease ? `${componentPrefix(naming)}-${lease}` : lease;
}

/** Identity of a server in leases. The first word distinguishes servers from other holders; with two empty strings it is their common prefix. */
export function serverIdentity(host: string, id: string): string {
  return `orch-server_${host === '' ? '' : `${host}_`}${id}`;
}
