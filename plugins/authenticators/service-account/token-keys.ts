import {createPrivateKey, createPublicKey, type KeyObject} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import type {JSONWebKeySet, JWTPayload} from 'jose';
import type {ServerPaths} from '../../../sdk/index.js';

interface PublicKey {
  readonly id: string;
  readonly algorithm: string;
  readonly key: KeyObject;
}

interface LoadedKeys {
  readonly signing: {readonly id: string; readonly algorithm: string; readonly key: KeyObject};
  readonly verifying: readonly PublicKey[];
}

const curves: Readonly<Record<string, string>> = {prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512'};

/**
 * The keys of service account tokens: one that signs, and those that signatures may be made with (its public half, and further
 * ones from files, so that keys can be exchanged). Read on first use; the library for tokens is loaded then too.
 */
export class TokenKeys {
  readonly #signingFile: string;
  #loaded: Promise<LoadedKeys> | undefined;
  readonly #paths: ServerPaths;
  readonly #verifyingFiles: readonly string[];

  /** @param verifyingFiles PEM files with further keys, public or private, absolute or relative to the data folder */
  constructor(paths: ServerPaths, verifyingFiles: readonly string[]) {
    this.#paths = paths;
    this.#verifyingFiles = verifyingFiles;
    this.#signingFile = join(paths.dataDir, 'pki', 'service-account.key');
  }

  /** A signed token (JWT) with these claims. */
  async sign(claims: JWTPayload): Promise<string> {
    const [{SignJWT}, {signing}] = await Promise.all([import('jose'), this.#keys()]);
    return new SignJWT(claims).setProtectedHeader({alg: signing.algorithm, kid: signing.id}).sign(signing.key);
  }

  /** The claims of a token whose signature is good; its times are not looked at. Rejects with the reason when it is not. */
  async verify(token: string): Promise<JWTPayload> {
    const [{compactVerify, decodeProtectedHeader}, {verifying}] = await Promise.all([import('jose'), this.#keys()]);
    const {kid} = decodeProtectedHeader(token);
    const candidates = kid === undefined ? verifying : verifying.filter(({id}) => id === kid);
    let failure: unknown = new Error('the token is signed with an unknown key');
    for (const {key, algorithm} of candidates) {
      try {
        const {payload} = await compactVerify(token, key, {algorithms: [algorithm]});
        return JSON.parse(Buffer.from(payload).toString('utf8')) as JWTPayload;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** Signature algorithms of the keys. */
  async algorithms(): Promise<string[]> {
    const {verifying} = await this.#keys();
    return [...new Set(verifying.map(({algorithm}) => algorithm))];
  }

  /** The public keys, as relying parties fetch them (RFC 7517). */
  async keySet(): Promise<JSONWebKeySet> {
    const {verifying} = await this.#keys();
    return {
      keys: verifying.map(
        ({id, algorithm, key}) =>
          ({use: 'sig', kid: id, alg: algorithm, ...(key.export({format: 'jwk'}) as object)}) as JSONWebKeySet['keys'][number],
      ),
    };
  }

  #keys(): Promise<LoadedKeys> {
    this.#loaded ??= this.#load();
    // A failure is not kept: the file may be put right.
    this.#loaded.catch(() => (this.#loaded = undefined));
    return this.#loaded;
  }

  async #load(): Promise<LoadedKeys> {
    const pem = await readFile(this.#signingFile);
    const own = await publicKey(createPublicKey(pem));
    const others = await Promise.all(
      this.#verifyingFiles.map(async (file) => publicKey(createPublicKey(await readFile(resolve(this.#paths.dataDir, file))))),
    );
    const verifying = [own, ...others].filter(({id}, index, all) => all.findIndex((other) => other.id === id) === index);
    return {signing: {...own, key: createPrivateKey(pem)}, verifying};
  }
}

async function publicKey(key: KeyObject): Promise<PublicKey> {
  const {calculateJwkThumbprint} = await import('jose');
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm === undefined) throw new Error('keys of service account tokens must be RSA or ECDSA keys on P-256, P-384 or P-521');
  return {key, algorithm, id: await calculateJwkThumbprint(key.export({format: 'jwk'}) as never)};
}
