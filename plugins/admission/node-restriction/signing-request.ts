import {pemBlocks, type NamingProfile} from '../../../sdk/index.js';
import type {CertificateSigningRequest} from '../../../sdk/types/unchecked/certificates/v1.js';

/**
 * Why a node may not ask for a certificate; undefined if it may. Certificates for kubelets have the node's own user name.
 *
 * @param naming names the signers for kubelets
 */
export async function signingRequestFault(
  {spec = {}}: CertificateSigningRequest,
  node: string,
  naming: NamingProfile,
): Promise<string | undefined> {
  const signers = ['nodeagent-serving', 'apiserver-client-nodeagent'].map(
    (signer) => naming.signers[signer] ?? `${naming.keyPrefix}/${signer}`,
  );
  if (!signers.includes(spec.signerName ?? '')) return undefined;
  let names: readonly string[];
  try {
    names = await commonNames(spec.request ?? '');
  } catch (error) {
    return `unable to parse csr: ${(error as Error).message}`;
  }
  // The last of several counts, as in the certificate.
  return names.at(-1) === `system:node:${node}` ? undefined : `can only create a node CSR with CN=system:node:${node}`;
}

async function commonNames(request: string): Promise<string[]> {
  const [block] = pemBlocks(Buffer.from(request, 'base64').toString('latin1'));
  if (!block) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const {Pkcs10CertificateRequest} = await import('@peculiar/x509');
  return new Pkcs10CertificateRequest(block.bytes).subjectName.toJSON().flatMap((part) => (Object.hasOwn(part, 'CN') ? part['CN']! : []));
}
