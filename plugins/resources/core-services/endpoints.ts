import type {ApiObject, ResourceRef} from '../../../sdk/index.js';

export const endpointsRef: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};

/** The addresses behind a service. */
export interface Endpoints extends ApiObject {
  subsets?: EndpointSubset[];
}

/** Every address with every port. */
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

export interface EndpointAddress {
  ip?: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: {uid?: string; [member: string]: unknown};
}

export interface EndpointPort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}
