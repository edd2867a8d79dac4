import {createPrivateKey, createPublicKey, type KeyObject} from 'node:crypto';
import {readFile, stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import type {JSONWebKeySet, JWTPayload} from 'jose';
import type {Logger, ServerPaths} from '../../../sdk/index.js';

interface PublicKey {
  readonly id: string;
  readonly algorithm: string;
  readonly key: KeyObject;
}

interface LoadedKeys {
  readonly signing: {readonly id: string; readonly algorithm: string; readonly key: KeyObject};
  readonly verifying: readonly PublicKey[];
}

/** How often the files are checked, in milliseconds. */
const lookMillis = 1000;
/** In one file. A token of a signer that names its keys differently is tried with all of them. */
const mostKeys = 100;
const curves: Readonly<Record<string, string>> = {prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512'};

/**
 * The keys of service account tokens: one for signing, and those accepted for verification (its public half, and others from files, so that
 * keys can be rotated). Read on first use, which also loads the token library, and again when a file changes.
 */
export class TokenKeys {
  readonly #signingFile: string;
  readonly #verifyingFiles: readonly string[];
  readonly #logger: Logger;
  #loaded: Promise<LoadedKeys> | undefined;
  /** What the file system reported about the files when they were read. */
  #identity = '';
  #looked = 0;
  #looking: Promise<void> | undefined;
  #generation = 0;

  /**
   * @param files PEM files, absolute or relative to the data folder: the signing key, by default the server's own, and further keys, public
   * or private. Tokens signed with the server's own key remain valid whichever key signs now.
   */
  constructor(paths: ServerPaths, files: {readonly signing: string | undefined; readonly verifying: readonly string[]}, logger: Logger) {
    const own = join(paths.dataDir, 'pki', 'service-account.key');
    this.#signingFile = files.signing === undefined ? own : resolve(paths.dataDir, files.signing);
    this.#verifyingFiles = [...(files.signing === undefined ? [] : [own]), ...files.verifying.map((file) => resolve(paths.dataDir, file))];
    this.#logger = logger;
  }

  /** Changes with the keys: earlier verifications must then be repeated. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Resolves when the current keys are loaded; the files are checked at most once a second. @throws Error with a one-sentence message if
   * they are unusable
   */
  async refresh(): Promise<void> {
    await this.#keys();
  }

  /** A signed token (JWT) with these claims. */
  async sign(claims: JWTPayload): Promise<string> {
    const [{SignJWT}, {signing}] = await Promise.all([import('jose'), this.#keys()]);
    return new SignJWT(claims).setProtectedHeader({alg: signing.algorithm, kid: signing.id}).sign(signing.key);
  }

  /** The claims of a token with a valid signature; its times are not checked. Rejects with the reason otherwise. */
  async verify(token: string): Promise<JWTPayload> {
    const [{compactVerify, decodeProtectedHeader}, {verifying}] = await Promise.all([import('jose'), this.#keys()]);
    const {kid} = decodeProtectedHeader(token);
    // Other signers name their keys in other ways.
    const named = verifying.filter(({id}) => id === kid);
    const candidates = named.length > 0 ? named : verifying;
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

  /** The keys' signature algorithms. */
  async algorithms(): Promise<string[]> {
    const {verifying} = await this.#keys();
    return [...new Set(verifying.map(({algorithm}) => algorithm))];
  }

  /** The public keys, in the form for relying parties (RFC 7517). */
  async keySet(): Promise<JSONWebKeySet> {
    const {verifying} = await this.#keys();
    return {
      keys: verifying.map(
        ({id, algorithm, key}) =>
          ({use: 'sig', kid: id, alg: algorithm, ...(key.export({format: 'jwk'}) as object)}) as JSONWebKeySet['keys'][number],
      ),
    };
  }

  async #keys(): Promise<LoadedKeys> {
    if (this.#loaded && performance.now() - this.#looked > lookMillis) {
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
      await this.#looking;
    }
    return this.#firstLoad();
  }

  #firstLoad(): Promise<LoadedKeys> {
    if (this.#loaded) return this.#loaded;
    const loading = this.#load();
    this.#loaded = loading;
    this.#looked = performance.now();
    // Failures are not cached: the file may be corrected.
    loading.catch(() => (this.#loaded = undefined));
    return loading;
  }

  /** Reads the keys again if a file has changed. Unusable files have no effect. */
  async #look(): Promise<void> {
    this.#looked = performance.now();
    if ((await this.#identityNow()) === this.#identity) return;
    try {
      const keys = await this.#load();
      this.#loaded = Promise.resolve(keys);
      this.#generation += 1;
      this.#logger.info({signing: keys.signing.id}, 'new keys of service account tokens are in use');
    } catch (error) {
      this.#logger.error({err: error}, 'the changed keys of service account tokens cannot be used; the previous ones remain in use');
    }
  }

  async #load(): Promise<LoadedKeys> {
    // Before the files are read, so that a change during the read is detected.
    this.#identity = await this.#identityNow();
    const pem = await readKey(this.#signingFile);
    const signing = keyIn(this.#signingFile, () => createPrivateKey(pem));
    const own = await publicKey(createPublicKey(pem), this.#signingFile);
    const others = await Promise.all(this.#verifyingFiles.map(publicKeysIn));
    const verifying = [own, ...others.flat()].filter(({id}, index, all) => all.findIndex((other) => other.id === id) === index);
    return {signing: {...own, key: signing}, verifying};
  }

  async #identityNow(): Promise<string> {
    const identities = [this.#signingFile, ...this.#verifyingFiles].map(async (file) => {
      try {
        const {mtimeMs, ctimeMs, size, ino} = await stat(file);
        return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
      } catch (error) {
        return String(error);
      }
    });
    return (await Promise.all(identities)).join('\n');
  }
}

async function readKey(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`the key of service account tokens ${file} cannot be read: ${(error as Error).message}`, {cause: error});
  }
}

/** All keys of a file; private ones count with their public half. */
async function publicKeysIn(file: string): Promise<PublicKey[]> {
  const text = (await readKey(file)).toString('utf8');
  const blocks = text.match(/-----BEGIN (?:[A-Z]+ )*(?:KEY|CERTIFICATE)-----[^-]+-----END (?:[A-Z]+ )*(?:KEY|CERTIFICATE)-----/g) ?? [text];
  if (blocks.length > mostKeys)
    throw new Error(`${file} contains ${blocks.length} keys of service account tokens, and at most ${mostKeys} are read`);
  return Promise.all(
    blocks.map((block) =>
      publicKey(
        keyIn(file, () => createPublicKey(block)),
        file,
      ),
    ),
  );
}

function keyIn(file: string, read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file} contains no PEM key of service account tokens that can be used without a password`, {cause: error});
  }
}

async function publicKey(key: KeyObject, file: string): Promise<PublicKey> {
  const {calculateJwkThumbprint} = await import('jose');
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm === undefined)
    throw new Error(`${file}: keys of service account tokens must be RSA or ECDSA keys on P-256, P-384 or P-521`);
  return {key, algorithm, id: await calculateJwkThumbprint(key.export({format: 'jwk'}) as never)};
}
