/** Certificates or keys that cannot be used. The message is one sentence that says what to do about it. */
export class PkiError extends Error {
  override readonly name = 'PkiError';
}
