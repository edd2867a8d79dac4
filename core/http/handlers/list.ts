import {listRequest} from '../options/list-options.js';
import {negotiateList, sendList} from '../representation/list.js';
import type {ResourceHandler} from './resource-request.js';

/** GET of a collection. */
export const serveList: ResourceHandler = async ({exchange, resource, services}) => {
  const {served} = resource;
  const representation = negotiateList(exchange, served.version, services.naming);
  const found = resource.list(exchange.info.namespace, listRequest(exchange.query), exchange);
  const result = found instanceof Promise ? await found : found;
  exchange.trace?.step('read');
  await sendList(exchange, result, served, representation);
};
