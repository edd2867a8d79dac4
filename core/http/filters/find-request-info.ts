import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import {parseRequestInfo, type RequestInfo} from '../request/request-info.js';
import type {Filter} from './filter.js';

/** Determines the resource and verb of a request, and whether this server answers it itself. */
export function findRequestInfo(catalog: ResourceCatalog): Filter {
  return (exchange, next) => {
    const info = parseRequestInfo(exchange.method, exchange.path, exchange.query);
    exchange.info = info;
    if (catalog.hasAggregated) exchange.aggregated = aggregatedVersion(catalog, info);
    return next(exchange);
  };
}

/** Below `/apis/GROUP/VERSION`, which is included; for the core group all below `/api`. */
function aggregatedVersion(catalog: ResourceCatalog, {segments: [root, group = '', version = '']}: RequestInfo) {
  if (root === 'api') return catalog.aggregated('', 'v1');
  return root === 'apis' ? catalog.aggregated(group, version) : undefined;
}
