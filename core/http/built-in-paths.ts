import {DebugFlags} from './debug/debug-flags.js';
import {Discovery} from './discovery/serve-discovery.js';
import {FlowControlDumps} from './flow-control/serve-dumps.js';
import {Health} from './health/health.js';
import {MetricsPage} from './metrics/serve-metrics.js';
import {OpenApiDocuments} from './openapi/open-api-documents.js';
import {parseRequestInfo} from './request/request-info.js';
import {ZPages} from './zpages/zpages.js';

const owners = [Health, Discovery, OpenApiDocuments, MetricsPage, FlowControlDumps, DebugFlags, ZPages];

/**
 * Whether the server itself answers all requests of a route's path, so that the route would never be called.
 *
 * @param path as in a manifest: with `/*` at the end for everything below
 */
export function isBuiltInPath(path: string): boolean {
  const segments = path
    .split('/')
    .slice(1)
    .filter((segment, index, all) => segment !== '' || index < all.length - 1);
  // Below these are resources and group versions.
  if (segments[0] === 'api' || segments[0] === 'apis' || segments[0] === 'openapi') return true;
  if (path.endsWith('/*')) return false;
  if (segments.length === 0 || path === '/version') return true;
  return owners.some((owner) => owner.owns(segments)) || parseRequestInfo('GET', path, new URLSearchParams()).isResourceRequest;
}
