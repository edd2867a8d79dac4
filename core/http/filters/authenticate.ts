import {StatusError, unauthorized, type UserInfo} from '../../../sdk/index.js';
import type {Authentication} from '../authentication/authentication.js';
import type {AccessFigures} from '../metrics/access-figures.js';
import type {Exchange} from '../request/exchange.js';
import {anonymous, isAnonymous, isPublicPath} from '../authentication/anonymous.js';
import type {Filter, Next} from './filter.js';

/** Claims from here on, in bytes of the header, are read in a turn of the event loop of their own: anybody may send many at once. */
const largeCredentials = 8 * 1024;

/** Authenticates the caller. @throws 401 if no authenticator accepts it, 429 if too many requests wait for authentication */
export function authenticate(authentication: Authentication, figures: AccessFigures): Filter {
  const known = (exchange: Exchange, user: UserInfo | undefined) => {
    const now = performance.now();
    figures.authenticated(user, now - exchange.startedAt);
    exchange.trace?.step('authentication', now);
    if (user) {
      exchange.user = user;
      if (!isAnonymous(user)) exchange.carrier.identified();
    } else if (isPublicPath(exchange.path)) exchange.user = anonymous;
    else throw unauthorized();
  };
  const refused = (exchange: Exchange, error: unknown) => {
    figures.notAuthenticated(performance.now() - exchange.startedAt);
    // Health checks are answered for everyone, with no more detail than for anonymous callers.
    if (!isPublicPath(exchange.path) || !StatusError.is(error) || error.code !== 429) throw error;
    exchange.user = anonymous;
  };
  const wait = async (exchange: Exchange, next: Next, found: Promise<UserInfo | undefined>) => {
    let user: UserInfo | undefined;
    try {
      user = await found;
    } catch (error) {
      refused(exchange, error);
      return next(exchange);
    }
    exchange.working();
    known(exchange, user);
    return next(exchange);
  };
  return (exchange, next) => {
    if ((exchange.header('authorization')?.length ?? 0) > largeCredentials) {
      const turn = exchange.task.yield();
      return wait(
        exchange,
        next,
        turn.then(() => authentication.identify(exchange)),
      );
    }
    let found: ReturnType<Authentication['identify']>;
    try {
      found = authentication.identify(exchange);
    } catch (error) {
      refused(exchange, error);
      return next(exchange);
    }
    if (found instanceof Promise) return wait(exchange, next, found);
    known(exchange, found);
    return next(exchange);
  };
}
