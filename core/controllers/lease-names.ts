import {componentPrefix, type NamingProfile} from '../../sdk/index.js';
import type {ControllerContribution} from '../../sdk/plugin/manifest.js';

/** The lease of the built-in controllers that run by default; under the platform's own name for it. */
export const sharedLease = 'controller-manager';

/** On a lease: who held it when the annotation was written, a space, and the names of the controllers that it runs. */
export const controllersAnnotation = 'control-plane.orch/controllers';

export function sharedLeaseName(naming: NamingProfile): string {
  return `${componentPrefix(naming)}-${sharedLease}`;
}

/** The lease that decides where a controller runs; undefined for one that runs everywhere. */
export function leaseName({name, leaderElection = true}: ControllerContribution, naming: NamingProfile): string | undefined {
  if (leaderElection === false) return undefined;
  const lease = leaderElection === true ? name : leaderElection;
  return lease === sharedLease ? sharedLeaseName(naming) : lease;
}

/** What a lease calls a server. The first word tells servers from other holders; with two empty texts it is what all of them begin with. */
export function serverIdentity(host: string, id: string): string {
  return `orch-server_${host === '' ? '' : `${host}_`}${id}`;
}
