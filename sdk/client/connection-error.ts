/**
 * The server could not be reached, or the connection ended before the response did. Whether a write took effect is then unknown. `code` is
 * the system's (`ECONNREFUSED`, `ECONNRESET`, `CERT_HAS_EXPIRED`, …), if there is one.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string | undefined;

  constructor(server: string, cause: unknown) {
    super(`cannot reach ${server}: ${reasonOf(cause)}`, {cause});
    const {code} = cause as {code?: unknown};
    this.code = typeof code === 'string' ? code : undefined;
  }
}

/** If a host has several addresses, Node reports all attempts in an error that has no message of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
