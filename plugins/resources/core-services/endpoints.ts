import type {ResourceRef, Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

export type Endpoints = Unchecked<core.Endpoints>;
export type EndpointSubset = Unchecked<core.EndpointSubset>;
export type EndpointAddress = Unchecked<core.EndpointAddress>;
export type EndpointPort = Unchecked<core.EndpointPort>;

export const endpointsRef: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};
