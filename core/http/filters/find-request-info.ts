import {parseRequestInfo} from '../request/request-info.js';
import type {Filter} from './filter.js';

/** Determines the resource and verb of a request. */
export function findRequestInfo(): Filter {
  return async (exchange, next) => {
    exchange.info = parseRequestInfo(exchange.method, exchange.path, exchange.query);
    await next();
  };
}
