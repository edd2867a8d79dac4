import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import {notAuthentic, type ValueCipher} from './value-cipher.js';

const vectorLength = 16;
const macLength = 32;

/**
 * AES in cipher block chaining mode with PKCS #7 padding, then HMAC-SHA-256: vector, ciphertext, code.
 *
 * The mode alone does not detect changes. The code covers the name, the vector and the ciphertext, and is checked before anything is
 * decrypted. Both keys are derived from the configured one.
 */
export class AesCbc implements ValueCipher {
  readonly #algorithm: string;
  readonly #encryptionKey: KeyObject;
  readonly #authenticationKey: KeyObject;

  /** @param secret 16, 24 or 32 bytes */
  constructor(secret: Buffer) {
    this.#algorithm = `aes-${secret.length * 8}-cbc`;
    this.#encryptionKey = derive(secret, 'orch aescbc v1 encryption', secret.length);
    this.#authenticationKey = derive(secret, 'orch aescbc v1 authentication', macLength);
  }

  seal(value: Buffer, name: string): Uint8Array[] {
    const vector = randomBytes(vectorLength);
    const cipher = createCipheriv(this.#algorithm, this.#encryptionKey, vector);
    const text = [cipher.update(value), cipher.final()];
    return [vector, ...text, this.#code(name, [vector, ...text])];
  }

  open(sealed: Buffer, name: string): Buffer {
    const end = sealed.length - macLength;
    if (end < vectorLength || !timingSafeEqual(sealed.subarray(end), this.#code(name, [sealed.subarray(0, end)]))) {
      throw new Error(notAuthentic);
    }
    const decipher = createDecipheriv(this.#algorithm, this.#encryptionKey, sealed.subarray(0, vectorLength));
    return Buffer.concat([decipher.update(sealed.subarray(vectorLength, end)), decipher.final()]);
  }

  #code(name: string, parts: readonly Buffer[]): Buffer {
    const bytes = Buffer.from(name);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    const hmac = createHmac('sha256', this.#authenticationKey).update(length).update(bytes);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  }
}

function derive(secret: Buffer, purpose: string, length: number): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, length)));
}
