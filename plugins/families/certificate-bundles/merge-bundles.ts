import {X509Certificate} from 'node:crypto';
import {pemBlocks} from '../../../sdk/index.js';

/**
 * The certificates of several PEM texts as one: each once, in the order in which they come, without those that have expired. What is no
 * certificate is left out.
 *
 * @param now milliseconds since 1970
 */
export function mergeBundles(texts: readonly string[], now: number): string {
  const merged = new Map<string, string>();
  for (const {type, bytes} of texts.flatMap(pemBlocks)) {
    if (type !== 'CERTIFICATE') continue;
    const certificate = certificateOf(bytes);
    if (certificate && Date.parse(certificate.validTo) > now) merged.set(certificate.fingerprint256, certificate.toString());
  }
  return [...merged.values()].join('');
}

function certificateOf(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}
