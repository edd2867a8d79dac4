import type {Unchecked} from '../../../sdk/index.js';
import type * as certificates from '../../../sdk/types/certificates/v1.js';

/** The group's types before validation. */
export type CertificateSigningRequest = Unchecked<certificates.CertificateSigningRequest>;
export type CertificateSigningRequestSpec = Unchecked<certificates.CertificateSigningRequestSpec>;
export type CertificateSigningRequestStatus = Unchecked<certificates.CertificateSigningRequestStatus>;
export type RequestCondition = Unchecked<certificates.CertificateSigningRequestCondition>;
