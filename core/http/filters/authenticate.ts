import {StatusError, unauthorized, type UserInfo} from '../../../sdk/index.js';
import type {Authentication} from '../authentication/authentication.js';
import type {AccessFigures} from '../metrics/access-figures.js';
import {authenticated, type AuthenticatedExchange, type ResolvedExchange} from '../request/stages.js';
import {anonymous, isAnonymous} from '../authentication/anonymous.js';
import type {Filter, Next} from './filter.js';

/** Claims from here on, in bytes of the header, are read in a turn of the event loop of their own: anybody may send many at once. */
const largeCredentials = 8 * 1024;

/** Authenticates the caller. @throws 401 if no authenticator accepts it, 429 if too many requests wait for authentication */
export function authenticate(authentication: Authentication, figures: AccessFigures): Filter<ResolvedExchange, AuthenticatedExchange> {
  const known = (exchange: ResolvedExchange, user: UserInfo | undefined) => {
    const now = performance.now();
    figures.authenticated(user, now - exchange.startedAt);
    exchange.trace?.step('authentication', now);
    if (user && !isAnonymous(user)) {
      exchange.carrier.identified();
      return authenticated(exchange, user);
    }
    // Pages for everybody are for browsers, which ask for many at once.
    if (!exchange.isPublic) exchange.carrier.unidentified();
    if (user) return authenticated(exchange, user);
    if (exchange.isPublic || authentication.isPublic(exchange.path)) return authenticated(exchange, anonymous);
    throw unauthorized();
  };
  const refused = (exchange: ResolvedExchange, error: unknown) => {
    figures.notAuthenticated(performance.now() - exchange.startedAt);
    exchange.carrier.unidentified();
    // Health checks are answered for everyone, with no more detail than for anonymous callers.
    if (!authentication.isPublic(exchange.path) || !StatusError.is(error) || error.code !== 429) throw error;
    return authenticated(exchange, anonymous);
  };
  const wait = async (exchange: ResolvedExchange, next: Next<AuthenticatedExchange>, found: Promise<UserInfo | undefined>) => {
    let user: UserInfo | undefined;
    try {
      user = await found;
    } catch (error) {
      return next(refused(exchange, error));
    }
    exchange.working();
    return next(known(exchange, user));
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
      return next(refused(exchange, error));
    }
    if (found instanceof Promise) return wait(exchange, next, found);
    return next(known(exchange, found));
  };
}
