import type {ApiObject} from '../../../sdk/index.js';
import type {ResourceList} from '../../shared/pod/pod-types.js';

/** A machine that pods run on, as far as its behaviour looks at it. */
export interface Node extends ApiObject {
  spec?: {
    podCIDR?: string;
    podCIDRs?: string[];
    providerID?: string;
    externalID?: string;
    unschedulable?: boolean;
    taints?: Taint[];
    configSource?: object;
  };
  status?: {
    capacity?: ResourceList;
    allocatable?: ResourceList;
    conditions?: {type: string; status: string}[];
    addresses?: {type?: string; address?: string}[];
    nodeInfo?: {kubeletVersion?: string; osImage?: string; kernelVersion?: string; containerRuntimeVersion?: string};
  };
}

export interface Taint {
  key?: string;
  value?: string;
  effect?: string;
}
