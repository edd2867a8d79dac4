import type {CounterSeries, HistogramSeries, Metric, Metrics, UserInfo} from '../../../sdk/index.js';
import type {DecisionSeries} from '../authorization/authorization.js';
import {accessMetrics} from './request-declarations.js';

/** Kinds of users for metrics; the first that matches. */
const kinds = [
  [/^system:anonymous$/, 'system:anonymous'],
  [/^system:serviceaccount:/, 'system:serviceaccount'],
  [/^system:node:/, 'system:node'],
  [/^system:plugin:/, 'system:plugin'],
  [/^system:/, 'system'],
  [/^[^@]+@[^@]+\.[^@]+$/, 'email_id'],
] as const;

/** Metrics of authentication and authorization. */
export class AccessFigures {
  readonly #authenticated: CounterSeries;
  readonly #unknown: CounterSeries;
  readonly #refused: CounterSeries;
  readonly #times: Readonly<Record<'success' | 'failure' | 'error', HistogramSeries>>;
  readonly #users: Metric<CounterSeries>;
  readonly #authorizations: Metric<CounterSeries>;
  readonly #allowed: CounterSeries;
  readonly #kinds = new WeakMap<UserInfo, CounterSeries>();

  constructor(metrics: Metrics) {
    const attempts = metrics.counter(accessMetrics.authentications);
    this.#authenticated = attempts.with('success');
    this.#unknown = attempts.with('failure');
    this.#refused = attempts.with('error');
    const times = metrics.histogram(accessMetrics.duration);
    this.#times = {success: times.with('success'), failure: times.with('failure'), error: times.with('error')};
    this.#users = metrics.counter(accessMetrics.users);
    this.#authorizations = metrics.counter(accessMetrics.authorizations);
    this.#allowed = this.#authorizations.with('allowed');
  }

  /**
   * @param user undefined for an unknown caller
   * @param millis duration of the authentication
   */
  authenticated(user: UserInfo | undefined, millis: number): void {
    if (!user) {
      this.#times.failure.observe(millis / 1000);
      return this.#unknown.add();
    }
    this.#times.success.observe(millis / 1000);
    this.#authenticated.add();
    let series = this.#kinds.get(user);
    if (!series) this.#kinds.set(user, (series = this.#users.with(kindOf(user.username))));
    series.add();
  }

  /** Credentials were refused, or could not be checked. */
  notAuthenticated(millis: number): void {
    this.#times.error.observe(millis / 1000);
    this.#refused.add();
  }

  authorized(result: 'allow' | 'deny' | 'no-opinion' | 'error'): void {
    if (result === 'allow') this.#allowed.add();
    else this.#authorizations.with(result === 'deny' ? 'denied' : result).add();
  }
}

/** The counters of what an authorizer decides, by its type and name. */
export function decisionSeries(metrics: Metrics): (type: string, name: string) => DecisionSeries {
  const decisions = metrics.counter(accessMetrics.decisions);
  return (type, name) => ({allow: decisions.with(type, name, 'allowed'), deny: decisions.with(type, name, 'denied')});
}

function kindOf(username: string): string {
  return kinds.find(([pattern]) => pattern.test(username))?.[1] ?? 'other';
}
