import {unauthorized} from '../../../sdk/index.js';
import type {Authentication} from '../authentication/authentication.js';
import {anonymous, isAnonymous, isPublicPath} from '../authentication/anonymous.js';
import type {Filter} from './filter.js';

/** Establishes the caller. @throws 401 when nobody knows it */
export function authenticate(authentication: Authentication): Filter {
  return async (exchange, next) => {
    const found = authentication.identify(exchange);
    const user = found instanceof Promise ? await found : found;
    if (user) {
      exchange.user = user;
      if (!isAnonymous(user)) exchange.carrier.identified();
    } else if (isPublicPath(exchange.path)) exchange.user = anonymous;
    else throw unauthorized();
    await next();
  };
}
