import {internalError, StatusError, type Logger, type NamingProfile} from '../../../sdk/index.js';
import {toStatusError} from '../../registry/store-errors.js';
import {sendError} from '../representation/status.js';
import type {Filter} from './filter.js';
import {longestId} from './log-requests.js';

/** Turns what is thrown behind it into a Status. An error that is no StatusError is a bug: logged whole, answered with a plain 500. */
export function renderErrors(logger: Logger, naming: NamingProfile): Filter {
  return async (exchange, next) => {
    try {
      await next();
    } catch (thrown) {
      const {info} = exchange;
      const error = toStatusError(thrown, {group: info?.group ?? '', resource: info?.resource ?? '', name: info?.name ?? ''});
      const status = StatusError.is(error)
        ? error
        : internalError("an unexpected error; the log has it under this request's Audit-Id", {cause: error});
      if (status.code >= 500) logFailure(logger, exchange.id.slice(0, longestId), exchange.path, status, error);
      const {response} = exchange;
      if (!response.headersSent) await sendError(exchange, status, naming);
      else if (!response.writableEnded) response.destroy();
    }
  };
}

function logFailure(logger: Logger, id: string, path: string, status: StatusError, error: unknown): void {
  const expected = status.code === 503 || status.code === 504;
  const cause = status.cause ?? (StatusError.is(error) ? undefined : error);
  if (expected) logger.warn({id, path, code: status.code, reason: status.message}, 'request could not be served');
  else logger.error({id, path, code: status.code, err: cause ?? status}, 'request failed');
}
