import type {Logger} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respondText} from '../response/respond.js';

/** A health check. Rejects with the reason if it fails. */
export interface HealthCheck {
  readonly name: string;
  readonly check: () => void | Promise<void>;
  /** Whether the process cannot recover while the check fails; other checks only mean that it should get no requests for now. */
  readonly live: boolean;
}

/**
 * `/livez`, `/readyz` and `/healthz`, each also as `/readyz/NAME` for one check; `?verbose` lists all, `?exclude=NAME` leaves one out.
 * Plain text, as probes and `kubectl get --raw` expect it. Why a check fails is shown only in the log and to members of `system:masters`:
 * reasons contain addresses, and these paths are public.
 */
export class Health {
  readonly #checks: readonly HealthCheck[];
  /** Names of the checks that failed the last time. */
  readonly #failing = new Set<string>();
  readonly #logger: Logger;

  constructor(checks: readonly HealthCheck[], logger: Logger) {
    this.#logger = logger;
    this.#checks = [{name: 'ping', live: true, check: () => undefined}, ...checks];
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length > 0 && segments.length <= 2 && /^(?:livez|readyz|healthz)$/.test(segments[0]!);
  }

  async serve(exchange: AuthenticatedExchange): Promise<void> {
    const [endpoint, only] = exchange.info.segments as [string, string | undefined];
    const excluded = new Set(exchange.query.getAll('exclude'));
    const checks = this.#checks
      .filter((check) => endpoint !== 'livez' || check.live)
      .filter((check) => only === undefined || check.name === only);
    if (only !== undefined && checks.length === 0) return respondText(exchange, 404, '404 page not found\n');
    const tellsReasons = exchange.user.groups.includes('system:masters');
    const outcomes = await Promise.all(
      checks.map(async (check) => {
        const {name} = check;
        if (excluded.has(name)) return {failed: false, line: `[+]${name} excluded: ok`};
        const reason = await this.#failure(check);
        if (reason === undefined) return {failed: false, line: `[+]${name} ok`};
        return {failed: true, line: `[-]${name} failed: ${tellsReasons ? reason : 'reason withheld'}`};
      }),
    );
    const failed = outcomes.some((outcome) => outcome.failed);
    const verdict = `${endpoint} check ${failed ? 'failed' : 'passed'}`;
    const lines = outcomes.map(({line}) => line);
    if (failed) return respondText(exchange, 500, `${[...lines, verdict].join('\n')}\n`);
    respondText(exchange, 200, exchange.query.has('verbose') ? `${[...lines, verdict].join('\n')}\n` : 'ok');
  }

  /** Runs a check. Returns why it fails, or undefined; changes are logged. */
  async #failure({name, check}: HealthCheck): Promise<string | undefined> {
    try {
      await check();
      if (this.#failing.delete(name)) this.#logger.info({check: name}, 'a health check passes again');
      return undefined;
    } catch (error) {
      const reason = (error as Error).message;
      if (!this.#failing.has(name)) this.#logger.warn({check: name, reason}, 'a health check fails');
      this.#failing.add(name);
      return reason;
    }
  }
}
