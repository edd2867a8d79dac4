import {listQuery, parseListParameters} from '../list-options.js';
import {negotiateList, sendList} from '../representation/list.js';
import type {ResourceHandler} from './resource-request.js';

/** GET of a collection. */
export const serveList: ResourceHandler = async ({exchange, endpoint, services}) => {
  const representation = negotiateList(exchange, endpoint.version, services.naming);
  const query = listQuery(parseListParameters(exchange.query, endpoint.version, 'list'), endpoint, exchange.info.namespace);
  const found = endpoint.storage.list(query);
  const result = found instanceof Promise ? await found : found;
  await sendList(exchange, result, endpoint, representation);
};
