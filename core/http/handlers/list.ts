import {listQuery, parseListParameters} from '../list-options.js';
import {negotiateList, sendList} from '../representation/list.js';
import type {ResourceHandler} from './resource-request.js';

/** GET of a collection. */
export const serveList: ResourceHandler = async ({exchange, served, services}) => {
  const representation = negotiateList(exchange, served.version, services.naming);
  const query = listQuery(parseListParameters(exchange.query, served.version, 'list'), served, exchange.info.namespace);
  const found = served.storage.list(query);
  const result = found instanceof Promise ? await found : found;
  await sendList(exchange, result, served, representation);
};
