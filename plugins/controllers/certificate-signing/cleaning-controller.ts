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
import {RequestCleaner} from './request-cleaner.js';

/** `csrcleaner`: deletes requests that are finished, were never handled, or whose certificate has expired. */
@controller()
export class CleaningController implements Controller {
  readonly #cleaner: RequestCleaner;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    this.#cleaner = new RequestCleaner({resources, naming, logger}, clock, metrics);
  }

  start(_signal: AbortSignal): Promise<void> {
    this.#cleaner.start();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#cleaner.stop();
  }
}
