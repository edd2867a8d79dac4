import type {Exchange} from './exchange.js';

const lastingSubresources = new Set(['proxy', 'exec', 'attach', 'portforward', 'log']);

/** Long-running requests: they have no deadline and do not count against the limits of requests in flight. */
export function isLongRunning({
  info,
  aggregated,
  upgrade,
  isLasting,
}: Pick<Exchange, 'info' | 'aggregated' | 'upgrade' | 'isLasting'>): boolean {
  // A request that was rejected before its path was parsed is not long-running.
  if (info === undefined) return false;
  // Only another server knows which of its paths are streams.
  return (
    isLasting || info.verb === 'watch' || lastingSubresources.has(info.subresource) || (upgrade !== undefined && aggregated !== undefined)
  );
}
