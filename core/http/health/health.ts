import type {Exchange} from '../exchange.js';
import {respondText} from '../respond.js';

/** One thing that must be well. Rejects with the reason when it is not. */
export interface HealthCheck {
  readonly name: string;
  readonly check: () => void | Promise<void>;
  /** Whether the process is beyond help while the check fails; other checks only tell that it should get no requests now. */
  readonly live: boolean;
}

/**
 * `/livez`, `/readyz` and `/healthz`, each also as `/readyz/NAME` for one check; `?verbose` lists all, `?exclude=NAME` leaves one out.
 * Plain text, as probes and `kubectl get --raw` expect it.
 */
export class Health {
  readonly #checks: readonly HealthCheck[];

  constructor(checks: readonly HealthCheck[]) {
    this.#checks = [{name: 'ping', live: true, check: () => undefined}, ...checks];
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length > 0 && segments.length <= 2 && /^(?:livez|readyz|healthz)$/.test(segments[0]!);
  }

  async serve(exchange: Exchange): Promise<void> {
    const [endpoint, only] = exchange.info.segments as [string, string | undefined];
    const excluded = new Set(exchange.query.getAll('exclude'));
    const checks = this.#checks
      .filter((check) => endpoint !== 'livez' || check.live)
      .filter((check) => only === undefined || check.name === only);
    if (only !== undefined && checks.length === 0) return respondText(exchange, 404, '404 page not found\n');
    const outcomes = await Promise.all(
      checks.map(async ({name, check}) => {
        if (excluded.has(name)) return {failed: false, line: `[+]${name} excluded: ok`};
        try {
          await check();
          return {failed: false, line: `[+]${name} ok`};
        } catch (error) {
          return {failed: true, line: `[-]${name} failed: ${(error as Error).message}`};
        }
      }),
    );
    const failed = outcomes.some((outcome) => outcome.failed);
    const verdict = `${endpoint} check ${failed ? 'failed' : 'passed'}`;
    const lines = outcomes.map(({line}) => line);
    if (failed) return respondText(exchange, 500, `${[...lines, verdict].join('\n')}\n`);
    respondText(exchange, 200, exchange.query.has('verbose') ? `${[...lines, verdict].join('\n')}\n` : 'ok');
  }
}
