import {admission, inject, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {CertificateRequest} from './certificate-request.js';
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
    const [before, after] = [request.oldObject as CertificateRequest, request.object as CertificateRequest];
    const isSame =
      (before.status?.certificate ?? '') === (after.status?.certificate ?? '') &&
      sameValue(before.status?.conditions, after.status?.conditions);
    if (isSame) return undefined;
    return this.#signers.require('sign', before.spec?.signerName ?? '', request);
  }
}
