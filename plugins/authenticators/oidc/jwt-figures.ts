import {createHash} from 'node:crypto';
import {hostname} from 'node:os';
import type {Gauge, HistogramSeries, Metric, MetricDeclaration, Metrics} from '../../../sdk/index.js';

/** Most issuers of a server; more have no series of their own. */
const mostIssuers = 200;

/** The metrics of kube-apiserver about tokens of other issuers. */
export class JwtFigures {
  readonly #latency: Metric<HistogramSeries>;
  readonly #fetches: Gauge;
  readonly #keySets: Gauge;
  readonly #hashes = new Map<string, string>();
  readonly #server = hashText(`apiserver-${hostname()}`);

  constructor(metrics: Metrics) {
    const declared = (name: string, help: string, labels: readonly string[]): MetricDeclaration => ({
      name: `apiserver_authentication_jwt_authenticator_${name}`,
      help,
      stability: 'ALPHA',
      labels,
      maximumSeries: mostIssuers * 2,
    });
    this.#latency = metrics.histogram({
      ...declared(
        'latency_seconds',
        'Time until a token of an issuer was accepted or refused, unless that was known already, by the result and the issuer.',
        ['result', 'jwt_issuer_hash'],
      ),
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.#fetches = metrics.gauge(
      declared(
        'jwks_fetch_last_timestamp_seconds',
        'When the keys of an issuer were last fetched, or could not be, in seconds since 1970, by the result, the issuer and the server.',
        ['result', 'jwt_issuer_hash', 'apiserver_id_hash'],
      ),
    );
    this.#keySets = metrics.gauge(
      declared(
        'jwks_fetch_last_key_set_info',
        'The keys of an issuer that are in use, by the issuer, the server and their hash; always 1.',
        ['jwt_issuer_hash', 'apiserver_id_hash', 'hash'],
      ),
    );
  }

  /** A token was looked at that was not remembered. @param seconds how long that took */
  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void {
    this.#latency.with(result, hashText(issuer)).observe(seconds);
  }

  /** Keys were fetched. @param keySet its text */
  fetched(issuer: string, keySet: string): void {
    const [hash, now] = [hashText(issuer), hashText(keySet)];
    const before = this.#hashes.get(hash);
    if (before !== undefined && before !== now) this.#keySets.remove(hash, this.#server, before);
    this.#hashes.set(hash, now);
    this.#keySets.with(hash, this.#server, now).set(1);
    this.#fetches.with('success', hash, this.#server).set(Date.now() / 1000);
  }

  notFetched(issuer: string): void {
    this.#fetches.with('failure', hashText(issuer), this.#server).set(Date.now() / 1000);
  }

  /** An issuer does not count any more. */
  forget(issuer: string): void {
    const hash = hashText(issuer);
    const keySet = this.#hashes.get(hash);
    if (keySet !== undefined) this.#keySets.remove(hash, this.#server, keySet);
    this.#hashes.delete(hash);
    for (const result of ['success', 'failure']) this.#fetches.remove(result, hash, this.#server);
  }
}

function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
