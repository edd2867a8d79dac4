import {notFound} from '../../../sdk/index.js';
import {errorTarget} from '../../registry/endpoint.js';
import {inVersion} from '../../registry/result-object.js';
import {parseReadLevel} from '../list-options.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import type {ResourceHandler} from './resource-request.js';

/** GET of one object. The stored bytes are written as they are where the client takes plain JSON. */
export const serveGet: ResourceHandler = async ({exchange, endpoint, services}) => {
  const {namespace, name} = exchange.info;
  const representation = negotiateObject(exchange, endpoint.version, services.naming);
  const found = endpoint.storage.get(endpoint.type.namespaced ? namespace : '', name, parseReadLevel(exchange.query));
  const cached = found instanceof Promise ? await found : found;
  if (!cached) throw notFound(errorTarget(endpoint, name));
  await sendObject(exchange, 200, inVersion(cached, endpoint.version), endpoint.version, representation);
};
