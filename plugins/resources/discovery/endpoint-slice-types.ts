import type {Unchecked} from '../../../sdk/index.js';
import type * as discovery from '../../../sdk/types/discovery/v1.js';

/** The group's types before validation. */
export type Endpoint = Unchecked<discovery.Endpoint>;
export type EndpointPort = Unchecked<discovery.EndpointPort>;
export type EndpointSlice = Unchecked<discovery.EndpointSlice>;
