import {listRequest} from '../options/list-options.js';
import {negotiateList, sendList} from '../representation/list.js';
import type {ResourceHandler} from './resource-request.js';

/** GET of a collection. */
export const serveList: ResourceHandler = async ({exchange, resource, services}) => {
  const {served} = resource;
  const representation = negotiateList(exchange, served.version, services.naming);
  const found = resource.list(exchange.info.namespace, listRequest(exchange.query), exchange);
  const waited = found instanceof Promise;
  const result = waited ? await found : found;
  exchange.trace?.step('read');
  if (waited) await exchange.resume();
  await sendList(exchange, result, served, representation);
};
