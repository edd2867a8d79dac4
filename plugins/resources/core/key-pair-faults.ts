import {createPrivateKey, createPublicKey, X509Certificate, type KeyObject} from 'node:crypto';
import {pemBlocks} from '../../../sdk/index.js';

const isKeyType = (type: string) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

/** What is wrong with a certificate and its key, in the words in which Go's TLS says it; undefined if they belong together. */
export function keyPairFault(certificate: string, key: string): string | undefined {
  const blocks = pemBlocks(certificate);
  const first = blocks.find(({type}) => type === 'CERTIFICATE');
  if (!first) return withoutCertificate(blocks.map(({type}) => type));
  const keyBlocks = pemBlocks(key);
  const keyBlock = keyBlocks.find(({type}) => isKeyType(type));
  if (!keyBlock) return withoutKey(keyBlocks.map(({type}) => type));
  const publicKey = publicKeyOf(first.bytes);
  if (!publicKey) return 'x509: malformed certificate';
  const privateKey = privateKeyOf(keyBlock.bytes);
  if (!privateKey) return 'tls: failed to parse private key';
  if (!usedTypes.has(publicKey.asymmetricKeyType!)) return 'tls: unknown public key algorithm';
  if (publicKey.asymmetricKeyType !== privateKey.key.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return privateKey.isOf(publicKey) ? undefined : 'tls: private key does not match public key';
}

const usedTypes: ReadonlySet<string> = new Set(['rsa', 'ec', 'ed25519']);

function withoutCertificate(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && types[0]!.endsWith('PRIVATE KEY'))
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${shown(types)}`;
}

function withoutKey(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') return 'tls: found a certificate rather than a key in the PEM for the private key';
  const wanted = 'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input';
  return `${wanted} after skipping PEM blocks of the following types: ${shown(types)}`;
}

/** Types that a text may have thousands of. */
function shown(types: readonly string[]): string {
  const most = 10;
  return `[${types.slice(0, most).join(' ')}${types.length > most ? ' ...' : ''}]`;
}

function publicKeyOf(bytes: Buffer): KeyObject | undefined {
  try {
    return new X509Certificate(bytes).publicKey;
  } catch {
    return undefined;
  }
}

/** A key in any of the three forms that are in use. Its block need not say which. */
function privateKeyOf(bytes: Buffer): {key: KeyObject; isOf: (publicKey: KeyObject) => boolean} | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      const key = createPrivateKey({key: bytes, format: 'der', type});
      return {key, isOf: (publicKey) => createPublicKey(key).equals(publicKey)};
    } catch {
      // It is in another form.
    }
  }
  return undefined;
}
