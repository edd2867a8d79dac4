import {admission, inject, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';
import type {CertificateRequest} from './certificate-request.js';
import {SignerAccess} from './signer-access.js';

/** Whoever approves or denies a request for a certificate must hold `approve` on its signer. */
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
    const {spec} = request.object as CertificateRequest;
    return this.#signers.require('approve', spec?.signerName ?? '', request);
  }
}
