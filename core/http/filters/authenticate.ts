import {StatusError, unauthorized, type UserInfo} from '../../../sdk/index.js';
import type {Authentication} from '../authentication/authentication.js';
import type {AccessFigures} from '../metrics/access-figures.js';
import {anonymous, isAnonymous, isPublicPath} from '../authentication/anonymous.js';
import type {Filter} from './filter.js';

/** Authenticates the caller. @throws 401 if no authenticator accepts it, 429 if too many requests wait for authentication */
export function authenticate(authentication: Authentication, figures: AccessFigures): Filter {
  return async (exchange, next) => {
    let user: UserInfo | undefined;
    try {
      const found = authentication.identify(exchange);
      if (found instanceof Promise) {
        user = await found;
        exchange.working();
      } else user = found;
      figures.authenticated(user);
    } catch (error) {
      figures.notAuthenticated();
      // Health checks are answered for everyone, with no more detail than for anonymous callers.
      if (!isPublicPath(exchange.path) || !StatusError.is(error) || error.code !== 429) throw error;
    }
    if (user) {
      exchange.user = user;
      if (!isAnonymous(user)) exchange.carrier.identified();
    } else if (isPublicPath(exchange.path)) exchange.user = anonymous;
    else throw unauthorized();
    exchange.trace?.step('authentication');
    await next();
  };
}
