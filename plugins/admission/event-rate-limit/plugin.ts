import {
  admission,
  inject,
  StatusError,
  Tokens,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
} from '../../../sdk/index.js';
import {readLimits} from './configuration.js';
import {LimitEnforcer} from './limit-enforcer.js';

/** Rejects events above the configured rate (429). Each server keeps its own rates; events of both API groups count. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['events', 'events.events.orch'], order: 240, sideEffects: 'none'})
export class EventRateLimit implements AdmissionController {
  readonly #enforcers: readonly LimitEnforcer[];

  constructor(
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    this.#enforcers = readLimits(configurations.get('EventRateLimit'), naming).map((limit) => new LimitEnforcer(limit));
  }

  /** Every limit is checked, and so charged, regardless of the others. */
  validate(request: AdmissionRequest): void {
    const now = performance.now();
    const refusals = this.#enforcers.flatMap((enforcer) => enforcer.refusal(request, now) ?? []);
    if (refusals.length === 0) return;
    const texts = [...new Set(refusals)];
    throw new StatusError(429, 'TooManyRequests', `Too many requests: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`);
  }
}
