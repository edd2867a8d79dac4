import type {NamingProfile} from '../../../sdk/index.js';

/** Annotations and finalizers by which volumes and claims are bound to each other. */
export interface BindingKeys {
  /** On a claim: its binding is complete. */
  readonly bindCompleted: string;
  /** On either: a controller has bound it, not a user. */
  readonly boundByController: string;
  /** On a claim: the node of the first pod that uses it. */
  readonly selectedNode: string;
  /** On a volume: who has made it. */
  readonly provisionedBy: string;
  /** On a claim: who is to make a volume for it. */
  readonly provisioner: string;
  readonly betaProvisioner: string;
  /** Keeps a volume until what it stands for is deleted. */
  readonly finalizer: string;
  /** The provisioner of classes whose volumes are made by hand. */
  readonly noProvisioner: string;
  /** The name of a class on objects of long ago. */
  readonly betaClass: string;
}

export function bindingKeys({key}: Pick<NamingProfile, 'key'>): BindingKeys {
  return {
    bindCompleted: key('pv.orch/bind-completed'),
    boundByController: key('pv.orch/bound-by-controller'),
    selectedNode: key('volume.orch/selected-node'),
    provisionedBy: key('pv.orch/provisioned-by'),
    provisioner: key('volume.orch/storage-provisioner'),
    betaProvisioner: key('volume.beta.orch/storage-provisioner'),
    finalizer: key('orch/pv-controller'),
    noProvisioner: key('orch/no-provisioner'),
    betaClass: key('volume.beta.orch/storage-class'),
  };
}

/** Classes with such a provisioner get simulated volumes: `simulate.orch/disk`. */
export const simulatedPrefix = 'simulate.orch/';

/** Drivers of simulated volumes end like this: `disk.simulate.orch`. */
export const simulatedDriverSuffix = '.simulate.orch';
