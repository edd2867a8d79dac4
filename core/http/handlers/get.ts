import {notFound} from '../../../sdk/index.js';
import {errorTarget} from '../../registry/served-version.js';
import {viewOf} from '../../registry/views/subresource-view.js';
import {parseReadLevel} from '../list-options.js';
import {requireAnswerRoom, smallAnswer} from '../response/answer-room.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {shapeOf, type ResourceHandler} from './resource-request.js';

/** GET of one object or of a subresource. The stored bytes are written as they are where the client takes plain JSON. */
export const serveGet: ResourceHandler = async (request) => {
  const {exchange, served, subresource, services} = request;
  const {namespace, name} = exchange.info;
  const shape = shapeOf(request);
  const representation = negotiateObject(exchange, shape, services.naming);
  const found = served.storage.get(served.type.namespaced ? namespace : '', name, parseReadLevel(exchange.query));
  const cached = found instanceof Promise ? await found : found;
  if (!cached) throw notFound(errorTarget(served, name));
  const shown = served.view.converted(cached);
  const result = viewOf(served, subresource).show(shown instanceof Promise ? await shown : shown);
  if (cached.bytes.length > smallAnswer) requireAnswerRoom(exchange);
  await sendObject(exchange, 200, result, shape, representation);
};
