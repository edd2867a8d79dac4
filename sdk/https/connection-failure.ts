import {WebhookError} from '../errors/webhook-error.js';

/** OpenSSL's codes for a certificate that does not chain to a trusted authority. */
const unknownAuthority = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
]);

/** Translates an error of a connection into a `WebhookError` that says what is wrong. */
export function connectionFailure(
  error: NodeJS.ErrnoException,
  {host, port}: {readonly host: string; readonly port: number},
): WebhookError {
  const {code = ''} = error;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const untrusted = tlsFault(error, code);
  if (untrusted !== undefined) return new WebhookError('Untrusted', untrusted, {cause: error});
  const unreachable = (text: string) => new WebhookError('Unreachable', text, {cause: error});
  if (error.syscall === 'getaddrinfo') return unreachable(`the host ${JSON.stringify(host)} cannot be found (${code})`);
  if (error.syscall === 'connect' || code === 'ECONNREFUSED') return unreachable(`cannot connect to ${address} (${code})`);
  return unreachable(`the connection to ${address} broke off before the answer was complete (${code === '' ? error.message : code})`);
}

function tlsFault(error: Error, code: string): string | undefined {
  if (unknownAuthority.has(code)) return `the server's certificate is signed by an unknown authority (${code})`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the server's certificate is valid for other names: ${(error as Error & {reason?: string}).reason ?? error.message}`;
  if (code === 'CERT_HAS_EXPIRED') return "the server's certificate has expired";
  if (code === 'CERT_NOT_YET_VALID') return "the server's certificate is not valid yet";
  if (/^(CERT|CRL|ERR_TLS|ERR_SSL|ERR_OSSL|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|EPROTO)/.test(code))
    return `the TLS handshake failed: ${error.message.trim()}`;
  return undefined;
}
