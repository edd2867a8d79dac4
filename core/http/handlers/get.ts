import {notFound} from '../../../sdk/index.js';
import {errorTarget} from '../../registry/endpoint.js';
import {viewOf} from '../../registry/subresource-view.js';
import {parseReadLevel} from '../list-options.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {shapeOf, type ResourceHandler} from './resource-request.js';

/** GET of one object or of a subresource. The stored bytes are written as they are where the client takes plain JSON. */
export const serveGet: ResourceHandler = async (request) => {
  const {exchange, endpoint, subresource, services} = request;
  const {namespace, name} = exchange.info;
  const shape = shapeOf(request);
  const representation = negotiateObject(exchange, shape, services.naming);
  const found = endpoint.storage.get(endpoint.type.namespaced ? namespace : '', name, parseReadLevel(exchange.query));
  const cached = found instanceof Promise ? await found : found;
  if (!cached) throw notFound(errorTarget(endpoint, name));
  const shown = endpoint.view.show(cached);
  const result = viewOf(endpoint, subresource).show(shown instanceof Promise ? await shown : shown);
  await sendObject(exchange, 200, result, shape, representation);
};
