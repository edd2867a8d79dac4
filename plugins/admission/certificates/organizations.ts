import {pemBlocks} from '../../../sdk/index.js';

/**
 * The organizations in the subject of a PKCS #10 request, given as PEM in base64: the groups of a client that shows the certificate.
 *
 * @throws Error when the request cannot be read, or an organization is no text: readers of certificates could take it for different ones
 */
export async function organizationsOf(request: string): Promise<string[]> {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString('latin1'));
  if (!block) throw new Error('it has no PEM block');
  // Loaded when the first request comes: most servers never see one.
  const {Pkcs10CertificateRequest} = await import('@peculiar/x509');
  const parts = new Pkcs10CertificateRequest(block.bytes).subjectName.toJSON();
  const organizations = parts.flatMap((part) => (Object.hasOwn(part, 'O') ? part['O']! : []));
  // So the library shows values of other types than texts.
  if (organizations.some((name) => name.startsWith('#'))) throw new Error('an organization is no text');
  return organizations;
}
