import {FieldPath, invalid, pemBlocks, type FieldError} from '../../../sdk/index.js';

const requestPath = FieldPath.of('spec', 'request');
const blockType = 'CERTIFICATE REQUEST';
const wrongBlock = `PEM block type must be ${blockType}`;

/**
 * Errors in the request itself: it must be a PEM block with a PKCS #10 request signed by its own key
 * (docs/semantics/access.md#certificate-requests).
 */
export async function requestFaults(base64: string | null | undefined): Promise<FieldError[]> {
  const [block] = pemBlocks(Buffer.from(base64 ?? '', 'base64').toString('latin1'));
  const problem = block?.type === blockType ? await requestProblem(block.bytes) : wrongBlock;
  return problem === undefined ? [] : [invalid(requestPath, base64 ?? '', problem)];
}

async function requestProblem(bytes: Buffer): Promise<string | undefined> {
  // Loaded for the first request: most servers never receive one.
  const {Pkcs10CertificateRequest} = await import('@peculiar/x509');
  try {
    return (await new Pkcs10CertificateRequest(bytes).verify()) ? undefined : 'the signature of the request is not valid';
  } catch (error) {
    return `the request cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
