import type {ApiObject} from '../../../sdk/index.js';

export interface CertificateSigningRequest extends ApiObject {
  spec?: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}

export interface CertificateSigningRequestSpec {
  /** A PEM block with a PKCS #10 request, in base64. */
  request?: string | null;
  signerName?: string;
  expirationSeconds?: number;
  usages?: string[];
  /** Who asks; the server says so. */
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

export interface CertificateSigningRequestStatus {
  conditions?: RequestCondition[];
  /** PEM blocks with certificates, in base64. */
  certificate?: string | null;
}

export interface RequestCondition {
  /** `Approved`, `Denied`, `Failed`, or what a signer likes. */
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
}
