import type {Logger} from '../../../sdk/index.js';
import type {Exchange} from '../request/exchange.js';
import type {Filter} from './filter.js';

/** Requests that take longer are logged at `warn`, others at `debug`; watches are long by nature. */
const slowMilliseconds = 1000;

/** Maximum logged length of an id from the client (`Audit-ID`). */
export const longestId = 64;

/** Logs each request with its result, duration, user and audit annotations. */
export function logRequests(logger: Logger): Filter {
  return async (exchange, next) => {
    await next();
    const {response, startedAt} = exchange;
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
    const slow = milliseconds > slowMilliseconds && exchange.info?.verb !== 'watch';
    const fields = fieldsOf(exchange, milliseconds);
    if (slow || response.statusCode >= 500) logger.warn(fields, slow ? 'slow request' : 'request failed');
    else logger.debug(fields, 'request');
  };
}

function fieldsOf(exchange: Exchange, milliseconds: number): object {
  const {id, request, path, response, user, impersonator} = exchange;
  const annotations = exchange.annotations('Metadata');
  return {
    id: id.slice(0, longestId),
    method: request.method,
    path,
    code: response.statusCode,
    milliseconds,
    user: user?.username,
    ...(impersonator ? {impersonator: impersonator.username} : {}),
    ...(annotations ? {annotations} : {}),
  };
}
