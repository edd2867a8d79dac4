import {parseRequestInfo} from '../request/request-info.js';
import type {Filter} from './filter.js';

/** Finds out which resource and verb a request is about. */
export function findRequestInfo(): Filter {
  return async (exchange, next) => {
    exchange.info = parseRequestInfo(exchange.method, exchange.path, exchange.query);
    await next();
  };
}
