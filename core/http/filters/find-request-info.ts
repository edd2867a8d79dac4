import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import {PluginRoutes} from '../handlers/serve-routes.js';
import type {Exchange} from '../request/exchange.js';
import {resolved, type ResolvedExchange} from '../request/stages.js';
import {parseRequestInfo, type RequestInfo} from '../request/request-info.js';
import type {Filter} from './filter.js';

/** Determines the resource and verb of a request, whether this server answers it itself, whether that may last, and whether it needs no credentials. */
export function findRequestInfo(catalog: ResourceCatalog, routes = new PluginRoutes([])): Filter<Exchange, ResolvedExchange> {
  return (exchange, next) => {
    const info = parseRequestInfo(exchange.method, exchange.path, exchange.query);
    const found = resolved(exchange, info);
    if (catalog.hasAggregated) exchange.aggregated = aggregatedVersion(catalog, info);
    if (info.isResourceRequest) exchange.isLasting = isLastingSubresource(catalog, found);
    else Object.assign(exchange, routes.describe(found));
    return next(found);
  };
}

/** Below `/apis/GROUP/VERSION`, which is included; for the core group all below `/api`. */
function aggregatedVersion(catalog: ResourceCatalog, {segments: [root, group = '', version = '']}: RequestInfo) {
  if (root === 'api') return catalog.aggregated('', 'v1');
  return root === 'apis' ? catalog.aggregated(group, version) : undefined;
}

/** Kubernetes has a fixed list of those (`isLongRunning`); what plugins add says so itself. */
function isLastingSubresource(
  catalog: ResourceCatalog,
  {info: {group, version, resource, subresource}, upgrade}: ResolvedExchange,
): boolean {
  if (subresource === '') return false;
  const definition = catalog.find(group, version, resource)?.subresources;
  const {longRunning, connect} = (definition && Object.hasOwn(definition, subresource) && definition[subresource]) || {};
  return longRunning === true || (connect === true && upgrade !== undefined);
}
