import {createObject} from '../../registry/write/create-object.js';
import {readObject} from '../body/object-body.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {writeContext} from '../write-options.js';
import type {ResourceHandler} from './resource-request.js';

/** POST to a collection. */
export const serveCreate: ResourceHandler = async ({exchange, served, services}) => {
  const {version, type} = served;
  const representation = negotiateObject(exchange, version, services.naming);
  const context = writeContext(exchange, 'CreateOptions', services);
  const decode = await readObject(exchange, version, services.naming, context);
  const {result} = await createObject(served, type.namespaced ? exchange.info.namespace : '', '', decode(), context);
  await sendObject(exchange, 201, result, version, representation);
};
