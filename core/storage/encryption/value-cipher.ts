/** Encrypts the values of objects with one key, and authenticates them when they are decrypted. */
export interface ValueCipher {
  /**
   * The encrypted value, in parts that follow each other.
   *
   * @param name of the object (`secrets/default/token`); `open` requires the same, so that values cannot be swapped
   */
  seal(value: Buffer, name: string): readonly Uint8Array[];
  /** The decrypted value. @throws Error if it was encrypted with another key or for another name, or has been changed */
  open(sealed: Buffer, name: string): Buffer;
}

/** Message of a value that a key does not open. */
export const notAuthentic = 'message authentication failed: another key, another object, or changed data';
