import {
  controller,
  inject,
  Tokens,
  type Clock,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, DueTimes, type WorkResult} from '../../../sdk/controllers/index.js';
import {dueForRemoval} from './due-for-removal.js';
import {RequestController} from '../../families/certificates/request-controller.js';
import {signingRequests, type SigningRequest} from '../../families/certificates/request-object.js';

/**
 * `csrcleaner`: deletes requests that are finished, were never handled, or whose certificate has expired. Only the name and due time of each request are kept,
 * and nothing is polled.
 */
@controller()
export class CleaningController extends RequestController {
  readonly #due: DueTimes;
  readonly #resources: ResourceClient;
  readonly #clock: Clock;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    super({
      resources,
      naming,
      logger,
      figures: {metrics, name: 'certificate_cleaner'},
      concerns: (request) => this.#isDue(request),
      work: (request) => this.#remove(request),
      deleted: ({metadata}) => this.#due.set(metadata.name!, undefined),
    });
    this.#resources = resources;
    this.#clock = clock;
    this.#due = new DueTimes((name) => this.add(name), clock);
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.#due.clear();
  }

  /** Records when a request is due, unless it already is. */
  #isDue(request: SigningRequest): boolean {
    const time = dueForRemoval(request);
    if (time !== undefined && time <= this.#clock.now()) return true;
    this.#due.set(request.metadata.name!, time);
    return false;
  }

  async #remove({metadata}: SigningRequest): Promise<WorkResult> {
    await this.#resources.delete(signingRequests, '', metadata.name!, {
      uid: metadata.uid!,
      resourceVersion: metadata.resourceVersion!,
    });
    return done;
  }
}
