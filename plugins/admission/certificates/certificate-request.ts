import type {Unchecked} from '../../../sdk/index.js';
import type * as certificates from '../../../sdk/types/certificates/v1.js';

export type CertificateRequest = Unchecked<certificates.CertificateSigningRequest>;
