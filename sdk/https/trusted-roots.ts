import {createSecureContext, getCACertificates, type SecureContext} from 'node:tls';

let certificates: readonly string[] | undefined;
let context: SecureContext | undefined;

/**
 * The default roots, PEM: those of the operating system, those bundled with Node, and those in the file that `NODE_EXTRA_CA_CERTS` names.
 * Read once.
 */
export function rootCertificates(): string[] {
  certificates ??= [...new Set([...getCACertificates('system'), ...getCACertificates('default')])];
  return [...certificates];
}

/** A TLS context that trusts the default roots. Created once, because there are hundreds of them. */
export function rootContext(): SecureContext {
  return (context ??= createSecureContext({ca: rootCertificates()}));
}
