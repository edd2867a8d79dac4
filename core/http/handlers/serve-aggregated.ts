import {internalError, StatusError, type AggregatedVersion} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respondText, setFlowHeaders} from '../response/respond.js';

/** Proxies a request to the server of its group version. */
export async function serveAggregated(exchange: AuthenticatedExchange, {server}: AggregatedVersion): Promise<void> {
  const {method, path, query, user, response, request: incoming} = exchange;
  response.setHeader('Audit-Id', exchange.id);
  setFlowHeaders(exchange);
  // The other server does the work: nothing is read here for a watch.
  exchange.whenInitialized?.();
  const request = {method, path, query, user, signal: exchange.signal, incoming};
  if (exchange.upgrade) return exchange.handOver(({socket, head}) => server.upgrade(request, socket, head));
  try {
    await server.handle(request, response);
  } catch (error) {
    // Other errors, and those in the middle of a response, are handled as everywhere.
    if (!StatusError.is(error) || response.headersSent) throw error;
    return respondText(exchange, error.code, `${error.message}\n`);
  }
  if (!response.headersSent) throw internalError('the plugin that answers for this group version has not answered');
}

/** Whether a group version is known to have a resource. */
export function hasResource({resources}: AggregatedVersion, name: string, subresource: string): boolean {
  const found = resources.find(({resource}) => resource === name);
  return found !== undefined && (subresource === '' || (found.subresources ?? []).some((one) => one.subresource === subresource));
}
