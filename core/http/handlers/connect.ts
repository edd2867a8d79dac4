import {pathNotFound} from '../../../sdk/index.js';
import {writeContext} from '../options/write-options.js';
import {keyOf, type ResourceHandler} from './resource-request.js';

/** Any method on a subresource whose handler takes over the connection (exec, proxy, log). */
export const serveConnect: ResourceHandler = ({exchange, resource, services}) => {
  const {info, method, request: incoming, response} = exchange;
  const context = writeContext(exchange, 'CreateOptions', services, resource.served);
  return resource.connect(keyOf(exchange), info.tail, context, (handler, request, path) => {
    const connection = {...request, method, incoming, path};
    if (exchange.upgrade && handler.upgrade) return exchange.handOver(({socket, head}) => handler.upgrade!(connection, socket, head));
    if (!handler.connect) throw pathNotFound();
    return handler.connect(connection, response);
  });
};
