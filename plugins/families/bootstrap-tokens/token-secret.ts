import type {NamingProfile} from '../../../sdk/index.js';
import type {Secret as TokenSecret} from '../../../sdk/types/unchecked/core/v1.js';

export const tokenSecrets = {group: '', version: 'v1', resource: 'secrets'};

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** The type of Secrets with bootstrap tokens, as clients see it. */
export function tokenSecretType(naming: NamingProfile): string {
  return naming.key('bootstrap.orch/token');
}

/** Selects the Secrets of tokens, and no others. */
export function tokenSecretSelector(naming: NamingProfile): string {
  return `metadata.namespace=${naming.systemNamespace},type=${tokenSecretType(naming)}`;
}

/** Name of the Secret of a token. */
export function tokenSecretName(id: string): string {
  return `bootstrap-token-${id}`;
}

/** A value in a token's Secret as a string; empty if it is missing. */
export function tokenValue({data}: TokenSecret, key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
}

/**
 * When a token expires, in milliseconds since 1970; `Infinity` if never. An invalid RFC 3339 time counts as expired: a typo must not extend
 * a token's life.
 */
export function tokenExpiry(secret: TokenSecret): number {
  const text = tokenValue(secret, 'expiration');
  if (text === '') return Infinity;
  const time = rfc3339.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? -Infinity : time;
}
