import {readObjectBody} from '../body/object-body.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {sendStatus} from '../representation/status.js';
import {writeContext} from '../options/write-options.js';
import {keyOf, type ResourceHandler} from './resource-request.js';

/** POST to a collection, or to a subresource that represents an operation. */
export const serveCreate: ResourceHandler = async ({exchange, resource, services}) => {
  const {shape} = resource;
  const representation = negotiateObject(exchange, shape, services.naming);
  const context = writeContext(exchange, 'CreateOptions', services, resource.served);
  const body = await readObjectBody(exchange, shape, services.naming, context);
  const {result, status} = await resource.create(keyOf(exchange), body, context);
  await exchange.resume();
  if (status) return sendStatus(exchange, {...status, code: status.code ?? 201}, services.naming);
  await sendObject(exchange, 201, result, shape, representation);
};
