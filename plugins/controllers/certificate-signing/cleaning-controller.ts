import {controller, inject, Tokens, type Controller, type Logger, type Metrics, type ResourceClient} from '../../../sdk/index.js';
import {systemClock} from '../../../sdk/controllers/index.js';
import {RequestCleaner} from './request-cleaner.js';

/** `csrcleaner`: deletes requests that are finished, were never handled, or whose certificate has expired. */
@controller()
export class CleaningController implements Controller {
  readonly #cleaner: RequestCleaner;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    this.#cleaner = new RequestCleaner(resources, logger, systemClock, metrics);
  }

  start(_signal: AbortSignal): Promise<void> {
    this.#cleaner.start();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#cleaner.stop();
  }
}
