import {
  controller,
  inject,
  isConflict,
  isNotFound,
  preconditionsOf,
  Tokens,
  type ApiObject,
  type Clock,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, DueTimes, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';

const jobs = {group: 'batch', version: 'v1', resource: 'jobs'};

/**
 * Deletes finished Jobs with `ttlSecondsAfterFinished` when that time is over, their pods first (docs/semantics/deletion.md#finished-jobs). Of Jobs that are due
 * later only name and time are kept, and nothing is polled.
 */
@controller()
export class TtlAfterFinished extends Reconciler {
  readonly #due: DueTimes;
  readonly #clock: Clock;
  readonly #resources: ResourceClient;

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
      concurrency: 5,
      figures: {metrics, name: 'ttl_jobs_to_delete'},
      types: [
        {
          ref: jobs,
          startFromCache: true,
          changed: (job) => this.#schedule(objectKey(job), expiryOfJob(job)),
          deleted: (job) => this.#schedule(objectKey(job), undefined),
        },
      ],
      reconcile: (key) => this.#delete(key),
    });
    this.#resources = resources;
    this.#clock = clock;
    this.#due = new DueTimes((key) => this.add(key), clock);
  }

  override async stop(): Promise<void> {
    await super.stop();
    this.#due.clear();
  }

  /** The key, if the Job is due. */
  #schedule(key: string, expiry: number | undefined): string[] {
    if (expiry !== undefined && expiry <= this.#clock.now()) return [key];
    this.#due.set(key, expiry);
    return [];
  }

  /** Looks at the Job once more: its time may have been made longer, or a Job of the same name may have taken its place. */
  async #delete(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    try {
      const job: ApiObject = await this.#resources.get(jobs, namespace, name);
      if (this.#schedule(key, expiryOfJob(job)).length > 0)
        await this.#resources.delete(jobs, namespace, name, {...preconditionsOf(job), propagationPolicy: 'Foreground'});
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      if (!isNotFound(error)) throw error;
    }
    return done;
  }
}

/**
 * When a Job may be deleted, in milliseconds since 1970: `spec.ttlSecondsAfterFinished` after its condition `Complete` or `Failed` became true.
 * Undefined as long as it has not finished, if it is being deleted, and if it does not ask for it.
 */
function expiryOfJob(object: ApiObject): number | undefined {
  const {metadata, spec, status} = object as Job;
  const seconds = spec?.ttlSecondsAfterFinished;
  if (typeof seconds !== 'number' || metadata.deletionTimestamp) return undefined;
  const finished = status?.conditions?.find((condition) => isFinal(condition.type) && condition.status === 'True');
  const time = Date.parse(finished?.lastTransitionTime ?? '');
  return Number.isNaN(time) ? undefined : time + seconds * 1000;
}

function isFinal(type: string | undefined): boolean {
  return type === 'Complete' || type === 'Failed';
}
