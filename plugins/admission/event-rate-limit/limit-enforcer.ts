import type {AdmissionRequest} from '../../../sdk/index.js';
import type {Limit, LimitType} from './configuration.js';
import {RateLimiter} from './rate-limiter.js';

type Keys = (request: AdmissionRequest) => readonly string[];
type Reference = Readonly<Record<string, string | undefined>>;

/** By what events are distinguished. */
const keysOf: Readonly<Record<LimitType, Keys>> = {
  Server: () => [],
  Namespace: ({namespace}) => [namespace],
  User: ({user}) => [user.username],
  SourceAndObject: ({object}) => {
    // The two API groups of events name these differently.
    const source = (object?.['source'] ?? object?.['deprecatedSource'] ?? {}) as Reference;
    const about = (object?.['involvedObject'] ?? object?.['regarding'] ?? {}) as Reference;
    const {component, host} = source;
    const {kind, namespace, name, uid, apiVersion} = about;
    return [component, host, kind, namespace, name, uid, apiVersion].map((part) => part ?? '');
  },
};

/** Enforces one limit: on all events, or on those of each namespace, user, or source and object by themselves. */
export class LimitEnforcer {
  /** Least recently used first. */
  readonly #limiters = new Map<string, RateLimiter>();

  readonly #limit: Limit;

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** Why an event exceeds the limit; undefined if it does not. @param now milliseconds of a clock that never goes back */
  refusal(request: AdmissionRequest, now: number): string | undefined {
    const {type, qps, burst, cacheSize} = this.#limit;
    const keys = keysOf[type](request);
    const key = JSON.stringify(keys);
    const limiter = this.#limiters.get(key) ?? new RateLimiter(qps, burst, now);
    this.#limiters.delete(key);
    this.#limiters.set(key, limiter);
    if (this.#limiters.size > cacheSize) this.#limiters.delete(this.#limiters.keys().next().value!);
    return limiter.tryAccept(now) ? undefined : `limit reached on type ${type} for key ${keys.join('')}`;
  }
}
