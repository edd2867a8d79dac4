import type {ApiObject, NamingProfile, ResourceRef} from '../../../sdk/index.js';
import {clusterWide, namespaced} from '../../../sdk/types/resource-handle.js';
import type {Node, Pod} from '../../../sdk/types/unchecked/core/v1.js';

export const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');
export const podType = namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod');
export const leaseType: ResourceRef = {group: 'coordination.orch', version: 'v1', resource: 'leases'};

/** The manager of the fields that kubelets write. */
export const fieldManager = 'kubelet';

/** Labels and taints of nodes, as the platform spells them. */
export interface NodeKeys {
  readonly hostname: string;
  readonly zone: string;
  readonly notReady: string;
  /** Labels of the operating system and the processor, old ones too, with their values. */
  readonly system: Readonly<Record<string, string>>;
  readonly os: string;
  readonly attachDetach: string;
}

export function nodeKeys(naming: NamingProfile): NodeKeys {
  return {
    hostname: naming.key('orch/hostname'),
    zone: naming.key('topology.orch/zone'),
    notReady: naming.key('node.orch/not-ready'),
    system: {
      [naming.key('beta.orch/arch')]: 'amd64',
      [naming.key('beta.orch/os')]: 'linux',
      [naming.key('orch/arch')]: 'amd64',
      [naming.key('orch/os')]: 'linux',
    },
    os: naming.key('orch/os'),
    attachDetach: naming.key('volumes.orch/controller-managed-attach-detach'),
  };
}
