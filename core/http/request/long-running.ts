import type {Exchange} from './exchange.js';

const lastingSubresources = new Set(['proxy', 'exec', 'attach', 'portforward', 'log']);

/** Long-running requests: they have no deadline and do not count against the limits of requests in flight. */
export function isLongRunning({info}: Pick<Exchange, 'info'>): boolean {
  // A request that was rejected before its path was parsed is not long-running.
  return info !== undefined && (info.verb === 'watch' || lastingSubresources.has(info.subresource));
}
