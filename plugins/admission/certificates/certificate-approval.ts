import {admission, inject, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';
import type {CertificateSigningRequest} from '../../../sdk/types/unchecked/certificates/v1.js';
import {SignerAccess} from './signer-access.js';

/** Requires `approve` on the signer to approve or deny a certificate request. */
@admission({
  operations: ['UPDATE'],
  resources: ['certificatesigningrequests/approval.certificates.orch'],
  order: 310,
  sideEffects: 'none',
})
export class CertificateApproval implements AdmissionController {
  readonly #signers: SignerAccess;

  constructor(@inject(SignerAccess) signers: SignerAccess) {
    this.#signers = signers;
  }

  validate(request: AdmissionRequest): Promise<void> {
    const {spec} = request.object as CertificateSigningRequest;
    return this.#signers.require('approve', spec?.signerName ?? '', request);
  }
}
