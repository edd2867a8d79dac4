import type {X509Certificate} from 'node:crypto';

/** Certificates between a client's and its CA's. */
const longestChain = 8;

/** Whether a certificate is signed by one of the authorities, directly or through certificates that came with it. Dates are not looked at. */
export function leadsToAuthority(certificate: X509Certificate, authorities: readonly X509Certificate[]): boolean {
  let current = certificate;
  for (let depth = 0; depth < longestChain; depth += 1) {
    const link = current;
    if (authorities.some((authority) => isSignedBy(link, authority))) return true;
    const next = current.issuerCertificate;
    if (!next || next === current || !next.ca || !isSignedBy(current, next)) return false;
    current = next;
  }
  return false;
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
