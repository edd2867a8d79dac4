import {X509Certificate} from 'node:crypto';
import {
  FieldPath,
  inject,
  pemBlocks,
  strategy,
  Tokens,
  tooLong,
  type FieldError,
  type NamingProfile,
  type PemBlock,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {invalidFor, validateImmutable} from '../../../sdk/validation/index.js';
import type {ClusterTrustBundle} from '../../../sdk/types/unchecked/certificates/v1beta1.js';
import {signerNameFaults, trustBundleNameFaults} from '../../families/certificates/signer-names.js';

const namePath = FieldPath.of('metadata', 'name');
const signerPath = FieldPath.of('spec', 'signerName');
const bundlePath = FieldPath.of('spec', 'trustBundle');
const maximumBundleBytes = 1024 * 1024;

/** ClusterTrustBundle: certificates of authorities that all pods may read. One that belongs to a signer is named after it. */
@strategy()
export class ClusterTrustBundleStrategy implements ResourceStrategy<ClusterTrustBundle> {
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  validateCreate(object: ClusterTrustBundle): FieldError[] {
    return [...this.#headFaults(object), ...bundleFaults(object.spec?.trustBundle ?? '')];
  }

  validateUpdate(object: ClusterTrustBundle, old: ClusterTrustBundle): FieldError[] {
    const {signerName, trustBundle = ''} = object.spec ?? {};
    return [
      ...this.#headFaults(object),
      ...(trustBundle === (old.spec?.trustBundle ?? '') ? [] : bundleFaults(trustBundle)),
      ...validateImmutable(signerName ?? '', old.spec?.signerName ?? '', signerPath),
    ];
  }

  tableCells({spec}: ClusterTrustBundle): Record<string, string> {
    return {SignerName: spec?.signerName || '<none>'};
  }

  #headFaults({metadata: {name = ''}, spec}: ClusterTrustBundle): FieldError[] {
    const signer = spec?.signerName ?? '';
    return [
      ...(name === '' ? [] : invalidFor(namePath, name, trustBundleNameFaults(name, signer))),
      ...(signer === '' ? [] : signerNameFaults(signer, signerPath, this.#naming)),
    ];
  }
}

/** At least one block, each the certificate of an authority, without headers and given once. */
function bundleFaults(text: string): FieldError[] {
  if (Buffer.byteLength(text) > maximumBundleBytes) return [tooLong(bundlePath, maximumBundleBytes)];
  const blocks = pemBlocks(text);
  const faults = blocks.flatMap((block, index) => blockFaults(block, index));
  if (faults.length === 0 && blocks.length === 0) faults.push('at least one trust anchor must be provided');
  return invalidFor(bundlePath, '<value omitted>', faults.length > 0 ? faults : repeated(blocks));
}

function blockFaults({type, hasHeaders, bytes}: PemBlock, index: number): string[] {
  if (type !== 'CERTIFICATE') return [`entry ${index} has bad block type: ${type}`];
  if (hasHeaders) return [`entry ${index} has PEM block headers`];
  try {
    return new X509Certificate(bytes).ca ? [] : [`entry ${index} does not have the CA bit set`];
  } catch {
    return [`entry ${index} does not parse as X.509`];
  }
}

function repeated(blocks: readonly PemBlock[]): string[] {
  const places = Map.groupBy(blocks.keys(), (index) => blocks[index]!.bytes.toString('base64'));
  return [...places.values()].filter(({length}) => length > 1).map((indices) => `duplicate trust anchor (indices [${indices.join(' ')}])`);
}
