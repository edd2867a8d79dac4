import {isNotFound, StatusError, type ApiObject} from '../../../sdk/index.js';
import {Reconciler, type ControllerParts, type WorkQueueOptions, type WorkResult} from '../../../sdk/controllers/index.js';
import {signingRequests, type SigningRequest} from './request-object.js';

export interface RequestLoopOptions extends ControllerParts {
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
  readonly #loop: Reconciler;
  readonly #abort = new AbortController();
  readonly #options: RequestLoopOptions;

  constructor(options: RequestLoopOptions) {
    this.#options = options;
    const {resources, naming, logger, figures, concerns, deleted} = options;
    this.#loop = new Reconciler({
      resources,
      naming,
      logger,
      concurrency: 5,
      ...(figures ? {figures} : {}),
      types: [
        {
          ref: signingRequests,
          changed: (request) => (concerns(request as SigningRequest) ? [request.metadata.name!] : []),
          deleted: (request) => {
            deleted?.(request);
            return [];
          },
        },
      ],
      reconcile: (name) => this.#sync(name),
    });
  }

  start(): void {
    void this.#loop.start(this.#abort.signal);
  }

  stop(): Promise<void> {
    this.#abort.abort();
    return this.#loop.stop();
  }

  /** Queues a request. */
  add(name: string): void {
    this.#loop.add(name);
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
