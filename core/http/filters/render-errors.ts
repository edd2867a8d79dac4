import {internalError, StatusError, type Logger, type NamingProfile} from '../../../sdk/index.js';
import {toStatusError} from '../../registry/store-errors.js';
import type {Exchange} from '../request/exchange.js';
import {sendError} from '../representation/status.js';
import {hasNoRoute} from '../response/http-errors.js';
import type {Filter} from './filter.js';
import {longestId} from './log-requests.js';

/**
 * Turns errors thrown by later steps into a Status. An error other than a StatusError is a bug: it is logged in full and answered with a
 * plain 500.
 */
export function renderErrors(logger: Logger, naming: NamingProfile): Filter {
  return async (exchange, next) => {
    try {
      await next(exchange);
    } catch (thrown) {
      const {info, response} = exchange;
      // The client has gone or has its timeout response: an error after that is expected.
      if (exchange.signal.aborted && response.headersSent)
        return logger.debug({id: exchange.id.slice(0, longestId), path: exchange.path, err: thrown}, 'an answer came too late');
      const error = toStatusError(thrown, {group: info?.group ?? '', resource: info?.resource ?? '', name: info?.name ?? ''});
      const status = StatusError.is(error)
        ? error
        : internalError("an unexpected error; the log has it under this request's Audit-Id", {cause: error});
      exchange.notes?.refused(status);
      if (status.code >= 500) logFailure(logger, exchange, status, error);
      if (hasNoRoute(status)) exchange.warnings.length = 0;
      if (!response.headersSent) await sendError(exchange, status, naming);
      else if (!response.writableEnded) response.destroy();
    }
  };
}

function logFailure(logger: Logger, exchange: Exchange, status: StatusError, error: unknown): void {
  const {path, trace} = exchange;
  const request = {id: exchange.id.slice(0, longestId), path, ...(trace?.context ? {trace: trace.context.traceId} : {})};
  // 502 is the fault of a server that a request was handed on to.
  const expected = status.code >= 502 && status.code <= 504;
  const cause = status.cause ?? (StatusError.is(error) ? undefined : error);
  if (expected) logger.warn({...request, code: status.code, reason: status.message}, 'request could not be served');
  else logger.error({...request, code: status.code, err: cause ?? status}, 'request failed');
}
