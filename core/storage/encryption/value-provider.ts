import {createHash} from 'node:crypto';
import {AesCbc} from './aes-cbc.js';
import {AesGcm} from './aes-gcm.js';
import type {ValueCipher} from './value-cipher.js';

/** The ciphers that an `EncryptionConfiguration` may name, each with its name in Kubernetes' messages. */
export const cipherNames = {aescbc: 'AES', aesgcm: 'AES', secretbox: 'Secretbox'} as const;
export type CipherName = keyof typeof cipherNames;

/** First byte of every encrypted value; a plain value starts with its format number, which is lower. */
const mark = 'orch:enc:';
const markBytes = Buffer.from(mark);

/** How values are stored: one key of one cipher, or in plain text. */
export interface ValueProvider {
  readonly name: CipherName | 'identity';
  readonly keyName: string | undefined;
  /**
   * Identifies how a value is stored: the same for all values stored with this key, different for any other key, even one with the same name.
   * Does not reveal the key.
   */
  readonly form: string;
  /** Prefix of its values; undefined for plain text. */
  readonly head: Buffer | undefined;
  readonly cipher: ValueCipher | undefined;
}

/** Values in plain text. */
export const identity: ValueProvider = {name: 'identity', keyName: undefined, form: 'identity', head: undefined, cipher: undefined};

/**
 * The provider of one key. `secret` has the length that the cipher requires (see `keyLengths`). The library of `secretbox` is loaded
 * by the first call that names it.
 */
export async function keyProvider(name: CipherName, keyName: string, secret: Buffer): Promise<ValueProvider> {
  const fingerprint = createHash('sha256').update(`orch key of ${name}\0`).update(secret).digest('hex').slice(0, 16);
  return {
    name,
    keyName,
    form: `${name}:${keyName}:${fingerprint}`,
    head: Buffer.from(`${mark}${name}:v1:${encodeURIComponent(keyName)}:`),
    cipher: await makeCipher(name, secret),
  };
}

/** Lengths in bytes that the secrets of a cipher may have. */
export const keyLengths: Readonly<Record<CipherName, readonly number[]>> = {aescbc: [16, 24, 32], aesgcm: [16, 24, 32], secretbox: [32]};

/** Whether stored bytes are an encrypted value, with any key. */
export function isEncrypted(stored: Buffer): boolean {
  return stored[0] === markBytes[0] && beginsWith(stored, markBytes);
}

export function beginsWith(bytes: Buffer, head: Buffer): boolean {
  return bytes.length >= head.length && bytes.compare(head, 0, head.length, 0, head.length) === 0;
}

/** Whether encrypted bytes name a cipher, with any key. */
export function isOfCipher(stored: Buffer, name: string): boolean {
  return beginsWith(stored, Buffer.from(`${mark}${name}:`));
}

async function makeCipher(name: CipherName, secret: Buffer): Promise<ValueCipher> {
  if (name === 'aesgcm') return new AesGcm(secret);
  if (name === 'aescbc') return new AesCbc(secret);
  const {Secretbox} = await import('./secretbox.js');
  return new Secretbox(secret);
}
