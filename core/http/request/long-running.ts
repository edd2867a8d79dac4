import type {Exchange} from './exchange.js';

const lastingSubresources = new Set(['proxy', 'exec', 'attach', 'portforward', 'log']);

/** Requests that are meant to last: they have no deadline and do not count against the limits of requests in flight. */
export function isLongRunning({info}: Pick<Exchange, 'info'>): boolean {
  // What was refused before its path was looked at does not last.
  return info !== undefined && (info.verb === 'watch' || lastingSubresources.has(info.subresource));
}
