import {
  controller,
  inject,
  Tokens,
  type Clock,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {FinishedJobs} from './finished-jobs.js';

/** Deletes finished Jobs with `ttlSecondsAfterFinished` when that time is over, their pods first (docs/semantics/deletion.md#finished-jobs). */
@controller()
export class TtlAfterFinished implements Controller {
  readonly #jobs: FinishedJobs;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    this.#jobs = new FinishedJobs({resources, naming, logger, figures: {metrics, name: 'ttl_jobs_to_delete'}, clock});
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#jobs.start(signal);
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }
}
