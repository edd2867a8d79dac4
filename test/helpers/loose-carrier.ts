import {CooperativeScheduler} from '../../sdk/index.js';
import type {Carrier} from '../../core/http/request/exchange.js';
import {MemoryBudget} from '../../core/http/limits/memory-budget.js';
import {resolveLimits} from '../../core/http/limits/resolve-limits.js';

/** What a request needs of its connection, for requests that come on none. */
export function looseCarrier(): Carrier {
  const limits = resolveLimits();
  return {
    limits,
    scheduler: new CooperativeScheduler(),
    answers: new MemoryBudget(limits.maxUnsentBytes, limits.maxUnsentBytesPerUser),
    bodies: new MemoryBudget(limits.maxBodyBytesInAll, limits.maxBodyBytesPerUser),
    identified: () => undefined,
    unidentified: () => undefined,
    cut: () => undefined,
    endsWith: ({response}) => void response.setHeader('Connection', 'close'),
    unsentChanged: () => undefined,
    working: () => performance.now(),
    acted: () => undefined,
  };
}
