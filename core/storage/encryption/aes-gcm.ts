import {createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type CipherGCMTypes, type KeyObject} from 'node:crypto';
import {notAuthentic, type ValueCipher} from './value-cipher.js';

const saltLength = 16;
const nonceLength = 12;
const tagLength = 16;
const start = saltLength + nonceLength;

/** A random 96-bit nonce must not repeat under a key: stay far below 2^32 values per key. */
const valuesPerDataKey = 2 ** 24;
/** How many data keys of other processes are cached; each start of a server makes one. */
const maximumDataKeys = 256;

/**
 * AES in Galois/Counter mode: salt, nonce, ciphertext, tag.
 *
 * The configured key does not encrypt values itself. Each process derives a data key from it and a random salt, and a new one after some
 * millions of values: so no number of writes makes it necessary to change the configured key.
 */
export class AesGcm implements ValueCipher {
  readonly #secret: Buffer;
  readonly #algorithm: CipherGCMTypes;
  readonly #dataKeys = new Map<string, KeyObject>();
  #current: {readonly salt: Buffer; readonly key: KeyObject; values: number} | undefined;

  /** @param secret 16, 24 or 32 bytes */
  constructor(secret: Buffer) {
    this.#secret = secret;
    this.#algorithm = `aes-${secret.length * 8}-gcm` as CipherGCMTypes;
  }

  seal(value: Buffer, name: string): Uint8Array[] {
    const {salt, key} = this.#writeKey();
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(this.#algorithm, key, nonce, {authTagLength: tagLength});
    cipher.setAAD(Buffer.from(name));
    return [salt, nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()];
  }

  open(sealed: Buffer, name: string): Buffer {
    if (sealed.length < start + tagLength) throw new Error(notAuthentic);
    const key = this.#dataKey(sealed.subarray(0, saltLength));
    const decipher = createDecipheriv(this.#algorithm, key, sealed.subarray(saltLength, start), {authTagLength: tagLength});
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(sealed.subarray(sealed.length - tagLength));
    const value = decipher.update(sealed.subarray(start, sealed.length - tagLength));
    try {
      decipher.final();
    } catch (cause) {
      throw new Error(notAuthentic, {cause});
    }
    return value;
  }

  #writeKey() {
    if (!this.#current || this.#current.values >= valuesPerDataKey) {
      const salt = randomBytes(saltLength);
      this.#current = {salt, key: this.#dataKey(salt), values: 0};
    }
    this.#current.values += 1;
    return this.#current;
  }

  #dataKey(salt: Buffer): KeyObject {
    const id = salt.toString('latin1');
    let key = this.#dataKeys.get(id);
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#secret, salt, 'orch aesgcm v1', this.#secret.length)));
      if (this.#dataKeys.size >= maximumDataKeys) this.#dataKeys.delete(this.#dataKeys.keys().next().value!);
      this.#dataKeys.set(id, key);
    }
    return key;
  }
}
