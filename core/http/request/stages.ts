import type {UserInfo} from '../../../sdk/index.js';
import type {Exchange} from './exchange.js';
import type {RequestInfo} from './request-info.js';

/** A request of which is known what it asks for: after `findRequestInfo`. */
export type ResolvedExchange = Exchange & {info: RequestInfo};

/** A request of which is known who sends it: after `authenticate`. */
export type AuthenticatedExchange = ResolvedExchange & {user: UserInfo};

/** Ends a stage: what comes next may rely on the info. */
export function resolved(exchange: Exchange, info: RequestInfo): ResolvedExchange {
  exchange.info = info;
  return exchange as ResolvedExchange;
}

/** Ends a stage: what comes next may rely on the user. */
export function authenticated(exchange: ResolvedExchange, user: UserInfo): AuthenticatedExchange {
  exchange.user = user;
  return exchange as AuthenticatedExchange;
}
