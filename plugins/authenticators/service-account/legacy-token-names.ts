import {componentPrefix, type NamingProfile} from '../../../sdk/index.js';

export const dayMillis = 24 * 60 * 60 * 1000;

/** The day of a time, in UTC: `2026-11-26`. */
export function dayOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10);
}

export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && Number.isFinite(Date.parse(text));
}

/** The ConfigMap of the system namespace whose member `since` is the day from which on uses of tokens in Secrets are noted. */
export function trackingName(naming: NamingProfile): string {
  return `${componentPrefix(naming)}-apiserver-legacy-service-account-token-tracking`;
}

/** Labels of Secrets with tokens: the day on which one was last used, and the day from which on it is not accepted. */
export function lastUsedKey(naming: NamingProfile): string {
  return naming.key('orch/legacy-token-last-used');
}

export function invalidSinceKey(naming: NamingProfile): string {
  return naming.key('orch/legacy-token-invalid-since');
}
