import {
  admission,
  forbidden,
  inject,
  Tokens,
  pemBlocks,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {CertificateSigningRequest} from '../../../sdk/types/unchecked/certificates/v1.js';

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

/**
 * The organizations in the subject of a PKCS #10 request, given as PEM in base64: the groups of a client with the certificate.
 *
 * @throws Error if the request cannot be parsed, or an organization is not a string: different readers could interpret it differently
 */
async function organizationsOf(request: string): Promise<string[]> {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString('latin1'));
  if (!block) throw new Error('it has no PEM block');
  // Loaded with the first request: most servers never get one.
  const {Pkcs10CertificateRequest} = await import('@peculiar/x509');
  const parts = new Pkcs10CertificateRequest(block.bytes).subjectName.toJSON();
  const organizations = parts.flatMap((part) => (Object.hasOwn(part, 'O') ? part['O']! : []));
  // The library returns values of types other than strings this way.
  if (organizations.some((name) => name.startsWith('#'))) throw new Error('an organization is no text');
  return organizations;
}
