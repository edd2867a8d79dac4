import {createHmac} from 'node:crypto';
import {sameSecret} from '../../../sdk/authentication/index.js';

/** What a sealed text is for: one cannot stand for the other. */
export type SealedKind = 'link' | 'session';

/** Longest sealed text, in characters: it has to fit into the headers of a request. */
export const longestSealed = 6 * 1024;

/** What a sealed text begins with. No other token has it, so that nobody else is asked about one. */
export const sealedPrefix = (kind: SealedKind): string => `orch-console-${kind}~`;

/** A text that only who has the key can make: anybody can read it. */
export function seal(kind: SealedKind, content: object, key: Buffer): string {
  const head = `${sealedPrefix(kind)}${Buffer.from(JSON.stringify(content)).toString('base64url')}`;
  return `${head}~${macOf(head, key)}`;
}

/** What was sealed; undefined where it was not sealed with this key, or for another kind. */
export function unseal(kind: SealedKind, text: string, key: Buffer): unknown {
  const end = text.lastIndexOf('~');
  const prefix = sealedPrefix(kind);
  if (!text.startsWith(prefix) || text.length > longestSealed || end < prefix.length) return undefined;
  const head = text.slice(0, end);
  if (!sameSecret(text.slice(end + 1), macOf(head, key))) return undefined;
  return JSON.parse(Buffer.from(head.slice(prefix.length), 'base64url').toString('utf8'));
}

function macOf(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
