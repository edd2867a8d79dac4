import type {CounterSeries, Gauge, Logger, Metric} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respondNothingThere, respondText} from '../response/respond.js';
import {MetricRegistry} from '../../metrics/metric-registry.js';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

/** A health check. Rejects with the reason if it fails. */
export interface HealthCheck {
  /** May have slashes: `poststarthook/rbac/bootstrap-roles`. */
  readonly name: string;
  readonly check: () => void | Promise<void>;
  /**
   * Where it counts. At `/livez` a check says that the process cannot recover while it fails; at `/readyz`, that it should get no requests for now.
   */
  readonly endpoints: readonly HealthEndpoint[];
}

const everywhere: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

const stability = {stability: 'ALPHA', releases: {beta: '1.28', stable: '1.29'}} as const;

interface Outcome {
  readonly failed: boolean;
  readonly line: string;
}

/**
 * `/livez`, `/readyz` and `/healthz`, each also as `/readyz/NAME` for one check; `?verbose` lists all, `?exclude=NAME` leaves one out.
 * Plain text in the form of Kubernetes, as probes and `kubectl get --raw` expect it. Why a check fails is shown only in the log and to members of `system:masters`:
 * reasons contain addresses, and these paths are public.
 */
export class Health {
  readonly #checks: readonly HealthCheck[];
  /** Those that failed the last time. Two may have a name in common, at different endpoints. */
  readonly #failing = new Set<HealthCheck>();
  readonly #logger: Logger;
  readonly #figures: HealthFigures | undefined;

  /** @param figures where results are counted, as in Kubernetes those of all checks together alone */
  constructor(checks: readonly HealthCheck[], logger: Logger, figures?: HealthFigures) {
    this.#logger = logger;
    this.#figures = figures;
    this.#checks = [{name: 'ping', endpoints: everywhere, check: () => undefined}, ...checks];
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length > 0 && (everywhere as readonly string[]).includes(segments[0]!);
  }

  /** All paths that there are, in no order. */
  get paths(): string[] {
    const single = this.#checks.flatMap(({name, endpoints}) => endpoints.map((endpoint) => `/${endpoint}/${name}`));
    return [...everywhere.map((endpoint) => `/${endpoint}`), ...single];
  }

  async serve(exchange: AuthenticatedExchange): Promise<void> {
    const [endpoint, ...rest] = exchange.info.segments as [HealthEndpoint, ...string[]];
    const checks = this.#checks.filter((check) => check.endpoints.includes(endpoint));
    if (exchange.path.endsWith('/')) return respondNothingThere(exchange);
    return rest.length === 0 ? this.#serveAll(exchange, endpoint, checks) : this.#serveOne(exchange, checks, rest.join('/'));
  }

  async #serveOne(exchange: AuthenticatedExchange, checks: readonly HealthCheck[], name: string): Promise<void> {
    const check = checks.find((one) => one.name === name);
    if (!check) return respondNothingThere(exchange);
    const reason = await this.#failure(check);
    if (reason === undefined) return respondText(exchange, 200, 'ok');
    exchange.response.setHeader('X-Content-Type-Options', 'nosniff');
    respondText(exchange, 500, `internal server error: ${told(exchange, reason)}\n`);
  }

  async #serveAll(exchange: AuthenticatedExchange, endpoint: HealthEndpoint, checks: readonly HealthCheck[]): Promise<void> {
    const excluded = new Set(exchange.query.getAll('exclude'));
    const outcomes = await Promise.all(checks.map((check) => this.#outcome(exchange, endpoint, check, excluded)));
    const failed = outcomes.some((outcome) => outcome.failed);
    const lines = outcomes.map(({line}) => line);
    const unknown = [...excluded].filter((name) => checks.every((check) => check.name !== name));
    if (unknown.length > 0) lines.push(unknownText(unknown));
    lines.push(`${endpoint} check ${failed ? 'failed' : 'passed'}`);
    exchange.response.setHeader('X-Content-Type-Options', 'nosniff');
    if (failed) return respondText(exchange, 500, `${lines.join('\n')}\n`);
    respondText(exchange, 200, exchange.query.has('verbose') ? `${lines.join('\n')}\n` : 'ok');
  }

  async #outcome(
    exchange: AuthenticatedExchange,
    endpoint: HealthEndpoint,
    check: HealthCheck,
    excluded: ReadonlySet<string>,
  ): Promise<Outcome> {
    const {name} = check;
    if (excluded.has(name)) return {failed: false, line: `[+]${name} excluded: ok`};
    const reason = await this.#failure(check);
    this.#figures?.observe(name, endpoint, reason === undefined);
    if (reason === undefined) return {failed: false, line: `[+]${name} ok`};
    return {failed: true, line: `[-]${name} failed: ${told(exchange, reason)}`};
  }

  /** Runs a check. Returns why it fails, or undefined; changes are logged. */
  async #failure(one: HealthCheck): Promise<string | undefined> {
    const {name} = one;
    try {
      await one.check();
      if (this.#failing.delete(one)) this.#logger.info({check: name}, 'a health check passes again');
      return undefined;
    } catch (error) {
      const reason = (error as Error).message;
      if (!this.#failing.has(one)) this.#logger.warn({check: name, reason}, 'a health check fails');
      this.#failing.add(one);
      return reason;
    }
  }
}

/** How health checks came out whenever somebody asked: what `/metrics/slis` shows, in the names of Kubernetes. */
export class HealthFigures {
  readonly metrics: MetricRegistry;
  readonly #last: Gauge;
  readonly #total: Metric<CounterSeries>;

  constructor(logger: Logger, release: string) {
    this.metrics = new MetricRegistry(logger, release);
    this.#last = this.metrics.gauge({
      name: 'kubernetes_healthcheck',
      help: 'Whether a health check passed when it was last asked for, by its name and path.',
      labels: ['name', 'type'],
      ...stability,
    });
    this.#total = this.metrics.counter({
      name: 'kubernetes_healthchecks_total',
      help: 'Results of health checks, by their name and path.',
      labels: ['name', 'type', 'status'],
      ...stability,
    });
  }

  observe(name: string, endpoint: HealthEndpoint, hasPassed: boolean): void {
    this.#last.with(name, endpoint).set(hasPassed ? 1 : 0);
    this.#total.with(name, endpoint, hasPassed ? 'success' : 'error').add(1);
  }
}

/** Names of checks that a message shows. */
const namedAtMost = 20;
/** Characters of each. */
const nameShown = 64;

function unknownText(names: readonly string[]): string {
  const shown = names
    .slice(0, namedAtMost)
    .toSorted()
    .map((name) => JSON.stringify(name.slice(0, nameShown)));
  return `warn: some health checks cannot be excluded: no matches for ${shown.join(',')}`;
}

function told({user}: AuthenticatedExchange, reason: string): string {
  return user.groups.includes('system:masters') ? reason : 'reason withheld';
}
