import {
  admission,
  forbidden,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {CertificateSigningRequest} from '../../../sdk/types/unchecked/certificates/v1.js';
import {organizationsOf} from './organizations.js';

const masters = 'system:masters';

/** Rejects requests for client certificates of `system:masters`: such a certificate could not be revoked before it expires. */
@admission({operations: ['CREATE'], resources: ['certificatesigningrequests.certificates.orch'], order: 330, sideEffects: 'none'})
export class CertificateSubjectRestriction implements AdmissionController {
  readonly #clientSigner: string;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#clientSigner = naming.signers['apiserver-client']!;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const {spec} = request.object as CertificateSigningRequest;
    if (spec?.signerName !== this.#clientSigner) return;
    const refuse = (detail: string) => forbidden({...request.resource, name: request.name}, detail);
    let organizations: readonly string[];
    try {
      organizations = await organizationsOf(spec.request ?? '');
    } catch (error) {
      throw refuse(`the request cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (organizations.includes(masters)) throw refuse(`use of ${this.#clientSigner} signer with ${masters} group is not allowed`);
  }
}
