import {createSecureContext, getCACertificates, type SecureContext} from 'node:tls';

let certificates: readonly string[] | undefined;
let context: SecureContext | undefined;

/**
 * The authorities that are trusted where nobody names any, PEM: those of the operating system, those that come with Node, and those of the
 * file that `NODE_EXTRA_CA_CERTS` names. Read once.
 */
export function rootCertificates(): string[] {
  certificates ??= [...new Set([...getCACertificates('system'), ...getCACertificates('default')])];
  return [...certificates];
}

/** What connections need that trust these authorities. Made once: there are hundreds of them. */
export function rootContext(): SecureContext {
  return (context ??= createSecureContext({ca: rootCertificates()}));
}
