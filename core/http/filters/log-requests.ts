import type {Logger} from '../../../sdk/index.js';
import type {Filter} from './filter.js';

/** Requests that take longer are logged at `warn`, others at `debug`; watches are long by nature. */
const slowMilliseconds = 1000;

/** Logs each request with its outcome and duration. */
export function logRequests(logger: Logger): Filter {
  return async (exchange, next) => {
    await next();
    const {request, response, startedAt} = exchange;
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
    const slow = milliseconds > slowMilliseconds && exchange.info?.verb !== 'watch';
    if (!slow && response.statusCode < 500) {
      logger.debug({id: exchange.id, method: request.method, path: exchange.path, code: response.statusCode, milliseconds}, 'request');
      return;
    }
    logger.warn(
      {
        id: exchange.id,
        method: request.method,
        path: exchange.path,
        code: response.statusCode,
        milliseconds,
        user: exchange.user?.username,
      },
      slow ? 'slow request' : 'request failed',
    );
  };
}
