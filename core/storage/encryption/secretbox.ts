import {hash, randomBytes, timingSafeEqual} from 'node:crypto';
import {xsalsa20poly1305} from '@noble/ciphers/salsa.js';
import {notAuthentic, type ValueCipher} from './value-cipher.js';

const nonceLength = 24;
const digestLength = 32;

/**
 * XSalsa20 and Poly1305 as in NaCl's secretbox: nonce, box.
 *
 * A box has no associated data for the name that a value belongs to, so the SHA-256 of the name precedes the value inside the box.
 */
export class Secretbox implements ValueCipher {
  readonly #secret: Buffer;

  /** @param secret 32 bytes */
  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  seal(value: Buffer, name: string): Uint8Array[] {
    const nonce = randomBytes(nonceLength);
    return [nonce, xsalsa20poly1305(this.#secret, nonce).encrypt(Buffer.concat([digestOf(name), value]))];
  }

  open(sealed: Buffer, name: string): Buffer {
    let content: Uint8Array;
    try {
      content = xsalsa20poly1305(this.#secret, sealed.subarray(0, nonceLength)).decrypt(sealed.subarray(nonceLength));
    } catch (cause) {
      throw new Error(notAuthentic, {cause});
    }
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (bytes.length < digestLength || !timingSafeEqual(bytes.subarray(0, digestLength), digestOf(name))) throw new Error(notAuthentic);
    return bytes.subarray(digestLength);
  }
}

function digestOf(name: string): Buffer {
  return hash('sha256', name, 'buffer');
}
