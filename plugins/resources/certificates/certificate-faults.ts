import {X509Certificate} from 'node:crypto';
import {FieldPath, forbiddenField, invalid, pemBlocks, type FieldError} from '../../../sdk/index.js';
import type {CertificateSigningRequest} from '../../../sdk/types/unchecked/certificates/v1.js';

const certificatePath = FieldPath.of('status', 'certificate');
const blockType = 'CERTIFICATE';

/** Errors in an issued certificate: it must consist of at least one PEM block, and all must be certificates. */
export function certificateFaults({status}: CertificateSigningRequest): FieldError[] {
  if (!status?.certificate) return [];
  const problem = certificateProblem(Buffer.from(status.certificate, 'base64').toString('latin1'));
  return problem === undefined ? [] : [invalid(certificatePath, '<certificate data>', problem)];
}

function certificateProblem(text: string): string | undefined {
  const blocks = pemBlocks(text);
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const {type, hasHeaders, bytes} of blocks) {
    if (type !== blockType) return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    try {
      void new X509Certificate(bytes);
    } catch {
      return 'a CERTIFICATE PEM block holds no certificate';
    }
  }
  return undefined;
}

/** The certificate is set once, through the status. */
export function certificateChangeFaults(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  subresource: string,
): FieldError[] {
  const before = old.status?.certificate ?? '';
  if ((object.status?.certificate ?? '') === before) return [];
  if (subresource !== 'status') return [forbiddenField(certificatePath, 'updates may not set certificate content')];
  return before === '' ? [] : [forbiddenField(certificatePath, 'updates may not modify existing certificate content')];
}
