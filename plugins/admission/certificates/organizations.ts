import {pemBlocks} from '../../../sdk/index.js';

/**
 * The organizations in the subject of a PKCS #10 request, given as PEM in base64: the groups of a client with the certificate.
 *
 * @throws Error if the request cannot be parsed, or an organization is not a string: different readers could interpret it differently
 */
export async function organizationsOf(request: string): Promise<string[]> {
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
