import type {ApiObject} from '../../../sdk/index.js';

/** Some of the endpoints of a service, all with addresses of one type. */
export interface EndpointSlice extends ApiObject {
  /** `IPv4`, `IPv6` or `FQDN`. */
  addressType?: string;
  endpoints?: Endpoint[] | null;
  ports?: EndpointPort[] | null;
}

export interface Endpoint {
  addresses?: string[] | null;
  hostname?: string | null;
  nodeName?: string | null;
  zone?: string | null;
  /** Free labels of the past; cannot be written any more. */
  deprecatedTopology?: Record<string, string>;
  hints?: {forZones?: {name?: string}[]} | null;
}

export interface EndpointPort {
  name?: string | null;
  protocol?: string | null;
  port?: number | null;
  appProtocol?: string | null;
}
