import type {ApiObject} from '../../../sdk/index.js';
import type {NodeSelector} from '../../shared/pod/pod-types.js';

/** Fields of the group's types as far as their behaviour looks at them; the schema file has them all. */
export interface ResourceClaim extends ApiObject {
  spec?: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}

export interface ResourceClaimSpec {
  resourceClassName?: string;
  parametersRef?: ParametersReference;
  allocationMode?: string;
}

export interface ParametersReference {
  apiGroup?: string;
  kind?: string;
  name?: string;
  /** In references of classes only. */
  namespace?: string;
}

export interface ResourceClaimStatus {
  driverName?: string;
  allocation?: {resourceHandle?: string; availableOnNodes?: NodeSelector; shareable?: boolean};
  reservedFor?: ConsumerReference[];
  deallocationRequested?: boolean;
}

export interface ConsumerReference {
  apiGroup?: string;
  resource?: string;
  name?: string;
  uid?: string;
}

export interface ResourceClaimTemplate extends ApiObject {
  spec?: {
    metadata?: Readonly<Record<string, unknown>> & {labels?: Record<string, string>; annotations?: Record<string, string>};
    spec?: ResourceClaimSpec;
  };
}

export interface ResourceClass extends ApiObject {
  driverName?: string;
  parametersRef?: ParametersReference;
  suitableNodes?: NodeSelector;
}

export interface PodScheduling extends ApiObject {
  spec?: {selectedNode?: string; potentialNodes?: string[]};
  status?: {resourceClaims?: {name?: string; unsuitableNodes?: string[]}[]};
}
