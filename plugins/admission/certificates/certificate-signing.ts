import {admission, inject, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {CertificateSigningRequest} from '../../../sdk/types/unchecked/certificates/v1.js';
import {SignerAccess} from './signer-access.js';

/** Requires `sign` on the signer to set a certificate or a condition in the status of a request. */
@admission({
  operations: ['UPDATE'],
  resources: ['certificatesigningrequests/status.certificates.orch'],
  order: 320,
  sideEffects: 'none',
})
export class CertificateSigning implements AdmissionController {
  readonly #signers: SignerAccess;

  constructor(@inject(SignerAccess) signers: SignerAccess) {
    this.#signers = signers;
  }

  validate(request: AdmissionRequest): void | Promise<void> {
    const [before, after] = [request.oldObject as CertificateSigningRequest, request.object as CertificateSigningRequest];
    const isSame =
      (before.status?.certificate ?? '') === (after.status?.certificate ?? '') &&
      sameValue(before.status?.conditions, after.status?.conditions);
    if (isSame) return undefined;
    return this.#signers.require('sign', before.spec?.signerName ?? '', request);
  }
}
