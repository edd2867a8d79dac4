import {isConflict, isNotFound, preconditionsOf, type Logger, type NamingProfile, type ResourceClient} from '../../../sdk/index.js';
import {
  done,
  DueTimes,
  objectKey,
  Reconciler,
  splitObjectKey,
  systemClock,
  type Clock,
  type ReconcilerOptions,
  type WorkResult,
} from '../../../sdk/controllers/index.js';
import {expiryOfJob} from './job-expiry.js';

const jobs = {group: 'batch', version: 'v1', resource: 'jobs'};

export interface FinishedJobsParts {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly logger: Logger;
  readonly figures?: ReconcilerOptions['figures'];
  readonly clock?: Clock;
}

/** Deletes finished Jobs when they are due. Of Jobs that are due later only name and time are kept, and nothing is polled. */
export class FinishedJobs {
  readonly #due: DueTimes;
  readonly #clock: Clock;
  readonly #resources: ResourceClient;
  readonly #reconciler: Reconciler;

  constructor({resources, naming, logger, figures, clock = resources.clock ?? systemClock}: FinishedJobsParts) {
    this.#resources = resources;
    this.#clock = clock;
    this.#due = new DueTimes((key) => this.#reconciler.add(key), clock);
    this.#reconciler = new Reconciler({
      resources,
      naming,
      logger,
      concurrency: 5,
      ...(figures ? {figures} : {}),
      types: [
        {
          ref: jobs,
          startFromCache: true,
          changed: (job) => {
            const expiry = expiryOfJob(job);
            if (expiry !== undefined && expiry <= clock.now()) return [objectKey(job)];
            this.#due.set(objectKey(job), expiry);
            return [];
          },
          deleted: (job) => {
            this.#due.set(objectKey(job), undefined);
            return [];
          },
        },
      ],
      reconcile: (key) => this.#delete(key),
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#reconciler.start(signal);
  }

  async stop(): Promise<void> {
    await this.#reconciler.stop();
    this.#due.clear();
  }

  /** Looks at the Job once more: its time may have been made longer, or a Job of the same name may have taken its place. */
  async #delete(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    try {
      const job = await this.#resources.get(jobs, namespace, name);
      const expiry = expiryOfJob(job);
      if (expiry === undefined || expiry > this.#clock.now()) {
        this.#due.set(key, expiry);
        return done;
      }
      await this.#resources.delete(jobs, namespace, name, {...preconditionsOf(job), propagationPolicy: 'Foreground'});
    } catch (error) {
      if (isNotFound(error)) return done;
      if (isConflict(error)) return {again: 0};
      throw error;
    }
    return done;
  }
}
