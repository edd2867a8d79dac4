import type {Clock, Metrics, ResourceClient} from '../../../sdk/index.js';
import {DueTimes, type ControllerParts, type WorkResult} from '../../../sdk/controllers/index.js';
import {dueForRemoval} from './due-for-removal.js';
import {RequestLoop} from './request-loop.js';
import {signingRequests, type SigningRequest} from './request-object.js';

/** Deletes requests when they are due. Only the name and due time of each request are kept, and nothing is polled. */
export class RequestCleaner {
  readonly #due: DueTimes;
  readonly #loop: RequestLoop;
  readonly #resources: ResourceClient;
  readonly #clock: Clock;

  /** @param metrics where its queue is counted */
  constructor({resources, naming, logger}: ControllerParts, clock: Clock, metrics?: Metrics) {
    this.#resources = resources;
    this.#clock = clock;
    this.#due = new DueTimes((name) => this.#loop.add(name), clock);
    this.#loop = new RequestLoop({
      resources,
      naming,
      logger,
      figures: metrics && {metrics, name: 'certificate_cleaner'},
      concerns: (request) => this.#isDue(request),
      work: (request) => this.#remove(request),
      deleted: ({metadata}) => this.#due.set(metadata.name!, undefined),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
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
    return {done: true};
  }
}
