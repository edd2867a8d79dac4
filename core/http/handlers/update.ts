import {readObjectBody} from '../body/object-body.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {sendStatus} from '../representation/status.js';
import {writeContext} from '../options/write-options.js';
import {keyOf, mayCreate, type ResourceHandler} from './resource-request.js';

/** PUT of one object or of a subresource. */
export const serveUpdate: ResourceHandler = async (request) => {
  const {exchange, resource, services} = request;
  const {shape} = resource;
  const representation = negotiateObject(exchange, shape, services.naming);
  const context = writeContext(exchange, 'UpdateOptions', services, resource.served);
  const body = await readObjectBody(exchange, shape, services.naming, context);
  const {result, created, status} = await resource.update(keyOf(exchange), body, context, mayCreate(request));
  await exchange.resume();
  if (status) return sendStatus(exchange, {...status, code: status.code ?? 201}, services.naming);
  await sendObject(exchange, created ? 201 : 200, result, shape, representation);
};
