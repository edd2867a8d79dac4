import {tooManyRequests} from '../../../sdk/index.js';
import {isLongRunning} from '../request/long-running.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {Filter} from './filter.js';

/**
 * Answers 429 if the limit of watches, in total or for one user, is reached. Other long-running requests count as well: exec, attach, port
 * forwarding, logs, proxies. For members of `system:masters`, only the total limit applies.
 */
export function limitWatches(): Filter<AuthenticatedExchange> {
  const byUser = new Map<string, number>();
  let all = 0;
  return (exchange, next) => {
    if (!isLongRunning(exchange)) return next(exchange);
    const {carrier, user} = exchange;
    const {username} = user;
    const ofUser = byUser.get(username) ?? 0;
    const reached =
      all >= carrier.limits.maxWatches
        ? 'maxWatches'
        : ofUser >= carrier.limits.maxWatchesPerUser && !user.groups.includes('system:masters')
          ? 'maxWatchesPerUser'
          : undefined;
    if (reached) {
      exchange.terminated = true;
      carrier.acted(reached, 'a watch was refused', {user: username});
      throw tooManyRequests(
        reached === 'maxWatches' ? 'too many watches are open' : `user ${JSON.stringify(username)} has too many watches open`,
        5,
      );
    }
    all += 1;
    byUser.set(username, ofUser + 1);
    exchange.whenFinished(() => {
      all -= 1;
      const left = byUser.get(username)! - 1;
      if (left === 0) byUser.delete(username);
      else byUser.set(username, left);
    });
    return next(exchange);
  };
}
