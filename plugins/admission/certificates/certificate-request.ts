import type {ApiObject} from '../../../sdk/index.js';

/** A CertificateSigningRequest, as far as it matters here. */
export interface CertificateRequest extends ApiObject {
  readonly spec?: {readonly request?: string | null; readonly signerName?: string};
  readonly status?: {readonly conditions?: readonly object[] | null; readonly certificate?: string | null};
}
