import {isNotFound, StatusError, type ApiObject, type Logger, type ResourceClient} from '../../../sdk/index.js';
import {followObjects, WorkQueue, type WorkQueueOptions, type WorkResult} from '../../../sdk/controllers/index.js';
import {signingRequests, type SigningRequest} from './request-object.js';

export interface RequestLoopOptions {
  readonly resources: ResourceClient;
  readonly logger: Logger;
  /** Where its queue is counted. */
  readonly figures: WorkQueueOptions['figures'];
  /** Called for each state that the watch reports; returns whether the request needs work. */
  concerns(request: SigningRequest): boolean;
  /** Works on the current state. A conflict is not a failure, because the watch will report the change. */
  work(request: SigningRequest): Promise<WorkResult>;
  deleted?(request: ApiObject): void;
}

const done: WorkResult = {done: true};

/**
 * Works on certificate requests. Safe to run on several servers at once: writes contain the version that was read, so the second of two
 * writes fails.
 */
export class RequestLoop {
  readonly #queue: WorkQueue;
  readonly #abort = new AbortController();
  #running: Promise<void> = Promise.resolve();
  readonly #options: RequestLoopOptions;

  constructor(options: RequestLoopOptions) {
    this.#options = options;
    this.#queue = new WorkQueue((name) => this.#sync(name), {
      concurrency: 5,
      ...(options.figures ? {figures: options.figures} : {}),
      onError: (name, error) =>
        options.logger.warn({request: name, err: error}, 'a certificate signing request could not be worked on; it is tried again'),
    });
  }

  start(): void {
    const {resources, logger, concerns, deleted} = this.#options;
    const isServed = resources
      .resources()
      .some(({kind, version}) => kind === 'CertificateSigningRequest' && version === signingRequests.version);
    if (!isServed) {
      logger.info({}, 'certificate signing requests are not served: nothing is done about them');
      return;
    }
    this.#running = followObjects(
      resources,
      signingRequests,
      {
        changed: (object) => {
          if (concerns(object as SigningRequest)) this.#queue.add(object.metadata.name!);
        },
        ...(deleted ? {deleted} : {}),
        failed: (error) => logger.warn({err: error}, 'certificate signing requests cannot be watched; retrying'),
      },
      this.#abort.signal,
    );
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    await this.#queue.close();
  }

  /** Queues a request. */
  add(name: string): void {
    this.#queue.add(name);
  }

  async #sync(name: string): Promise<WorkResult> {
    const {resources, concerns, work} = this.#options;
    try {
      const request = (await resources.get(signingRequests, '', name)) as SigningRequest;
      return concerns(request) && !request.metadata.deletionTimestamp ? await work(request) : done;
    } catch (error) {
      if (isNotFound(error) || (StatusError.is(error) && error.reason === 'Conflict')) return done;
      throw error;
    }
  }
}
