import {X509Certificate} from 'node:crypto';

/**
 * The CA certificates in a PEM text. Only they can sign others: TLS libraries differ on whether other certificates in the list can vouch
 * for themselves.
 *
 * @returns none if there are none
 * @throws Error if a certificate cannot be read
 */
export function certificateAuthorities(pem: string): string[] {
  const all = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return all.filter((one) => new X509Certificate(one).ca);
}
