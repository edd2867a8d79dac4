import type {CounterSeries, Metric, Metrics, UserInfo} from '../../../sdk/index.js';
import {accessMetrics} from './request-declarations.js';

/** What kinds of users there are, as far as figures go: the first that fits. */
const kinds = [
  [/^system:anonymous$/, 'system:anonymous'],
  [/^system:serviceaccount:/, 'system:serviceaccount'],
  [/^system:node:/, 'system:node'],
  [/^system:plugin:/, 'system:plugin'],
  [/^system:/, 'system'],
  [/^[^@]+@[^@]+\.[^@]+$/, 'email_id'],
] as const;

/** Counts who comes and what they may. */
export class AccessFigures {
  readonly #authenticated: CounterSeries;
  readonly #unknown: CounterSeries;
  readonly #refused: CounterSeries;
  readonly #users: Metric<CounterSeries>;
  readonly #authorizations: Metric<CounterSeries>;
  readonly #allowed: CounterSeries;
  readonly #kinds = new WeakMap<UserInfo, CounterSeries>();

  constructor(metrics: Metrics) {
    const attempts = metrics.counter(accessMetrics.authentications);
    this.#authenticated = attempts.with('success');
    this.#unknown = attempts.with('failure');
    this.#refused = attempts.with('error');
    this.#users = metrics.counter(accessMetrics.users);
    this.#authorizations = metrics.counter(accessMetrics.authorizations);
    this.#allowed = this.#authorizations.with('allowed');
  }

  /** @param user undefined where nobody knows the caller */
  authenticated(user: UserInfo | undefined): void {
    if (!user) return this.#unknown.add();
    this.#authenticated.add();
    let series = this.#kinds.get(user);
    if (!series) this.#kinds.set(user, (series = this.#users.with(kindOf(user.username))));
    series.add();
  }

  /** Credentials were refused, or could not be checked. */
  notAuthenticated(): void {
    this.#refused.add();
  }

  authorized(result: 'allow' | 'deny' | 'no-opinion' | 'error'): void {
    if (result === 'allow') this.#allowed.add();
    else this.#authorizations.with(result === 'deny' ? 'denied' : result).add();
  }
}

function kindOf(username: string): string {
  return kinds.find(([pattern]) => pattern.test(username))?.[1] ?? 'other';
}
