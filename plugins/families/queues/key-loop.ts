import type {Clock, Controller, Logger, Metrics, ResourceClient} from '../../../sdk/index.js';
import {EventRecorder, systemClock, WorkQueue, type WorkQueueOptions, type WorkResult} from '../../../sdk/controllers/index.js';

/** What the server gives to a loop. */
export interface KeyLoopParts {
  readonly resources: ResourceClient;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How many keys are worked on at the same time. */
  readonly concurrency: number;
}

export interface KeyLoopOptions {
  /** The source of its events. */
  readonly component: string;
  /** The name of its queue in metrics. */
  readonly queue: string;
  /** Those of work queues by default. */
  readonly retries?: WorkQueueOptions['retries'];
  /** What the log says of work that failed: "a pod could not be released". */
  readonly failure: string;
  /** Brings the object of a key a step closer to what it should be. Retried if it throws. */
  readonly reconcile: (key: string) => Promise<WorkResult>;
}

/** Works on the keys of objects, each at most once at a time, and not before all is known that the work looks at. Has an event recorder for them. */
export class KeyLoop implements Controller {
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly #queue: WorkQueue;
  readonly #logger: Logger;
  #listed: Promise<unknown> = Promise.resolve();

  constructor({resources, logger, metrics, concurrency}: KeyLoopParts, options: KeyLoopOptions) {
    const {component, queue, retries, failure, reconcile} = options;
    this.#logger = logger;
    this.clock = resources.clock ?? systemClock;
    this.events = new EventRecorder({resources, logger, controller: component, form: 'core'});
    const work = async (key: string): Promise<WorkResult> => {
      let listed: Promise<unknown> | undefined;
      // What it waits for may have become more meanwhile.
      while (listed !== this.#listed) {
        listed = this.#listed;
        await listed;
      }
      return reconcile(key);
    };
    this.#queue = new WorkQueue(work, {
      clock: this.clock,
      scheduler: resources.scheduler,
      concurrency,
      figures: {metrics, name: queue},
      ...(retries ? {retries} : {}),
      onError: (key, err) => logger.warn({key, err}, `${failure}; retrying`),
    });
  }

  /** @param followers informers, which are followed until the signal fires; no key is worked on before each knows what there is */
  start(signal: AbortSignal, ...followers: readonly {start(signal: AbortSignal): Promise<unknown>}[]): Promise<void> {
    for (const follower of followers) this.waitFor(follower.start(signal));
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await this.events.close();
  }

  /** No key is worked on before this has resolved. */
  waitFor(listed: Promise<unknown>): void {
    this.#listed = Promise.all([this.#listed, listed]);
  }

  /** What was waited for. */
  get listed(): Promise<unknown> {
    return this.#listed;
  }

  /** Has the object of a key be looked at. */
  readonly add = (key: string): void => this.#queue.add(key);

  /** Notes in the log that an object cannot be read. */
  readonly failed = (key: string, err: unknown): void => this.#logger.warn({key, err}, 'an object cannot be read');
}
