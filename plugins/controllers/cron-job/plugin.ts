import {
  isNamespaceTerminating,
  controller,
  inject,
  isConflict,
  Tokens,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, DueTimes, type WorkResult} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import {OwnedObjects} from '../../families/workload-pods/owned-objects.js';
import {WorkloadLoop, type KnownWorkload} from '../../families/workload-pods/workload-loop.js';
import {batchVersion, cronJobKind, cronJobs, jobKind, jobs, type StoredCronJob, type StoredJob} from './cron-job-object.js';
import {CronJobRound, type CronJobParts} from './cron-job-round.js';
import {millisUntilNext} from './missed-runs.js';
import {timesOf} from './schedule-of.js';

/** As Kubernetes' queue. */
const retries = {initialMillis: 5, maximumMillis: 1_000_000};
/** After somebody else has changed an object: until the cache has it. */
const conflictMillis = 5;

interface Known extends KnownWorkload {
  /** Schedule and time zone. */
  readonly schedule: string;
}

/** Makes the Jobs of CronJobs, by the server's clock. */
@controller()
export class CronJobController implements Controller {
  readonly #parts: CronJobParts;
  readonly #loop: WorkloadLoop<StoredCronJob, Known>;
  readonly #jobs: OwnedObjects<StoredJob>;
  readonly #rescheduled: DueTimes;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#loop = new WorkloadLoop<StoredCronJob, Known>(
      {resources, cache, logger, metrics, concurrency: config['concurrency'] as number},
      {
        type: {ref: cronJobs, apiVersion: batchVersion, kind: cronJobKind},
        component: 'cronjob-controller',
        queue: 'cronjob',
        retries,
        know: ({metadata, spec}) => ({uid: metadata.uid!, schedule: `${spec?.timeZone ?? ''} ${spec?.schedule}`}),
        changed: (key, known, before) => this.#changed(key, known, before),
        gone: (key) => this.#rescheduled.set(key, undefined),
        reconcile: (_key, cronJob) => this.#reconcile(cronJob),
      },
    );
    const {clock, events, failed} = this.#loop;
    this.#rescheduled = new DueTimes((key) => this.#loop.add(key), clock);
    this.#parts = {
      resources,
      events,
      clock,
      timeKey: gates.enabled('CronJobsScheduledAnnotation') ? naming.key('batch.orch/cronjob-scheduled-timestamp') : undefined,
    };
    const {group, version, resource} = jobs;
    this.#jobs = new OwnedObjects({
      cache,
      type: namespaced<StoredJob>(group, version, resource, jobKind),
      ownerKind: cronJobKind,
      changed: (owner) => this.#loop.addOwner(owner),
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#loop.waitFor(this.#jobs.start(signal));
    return this.#loop.start(signal);
  }

  async stop(): Promise<void> {
    this.#rescheduled.clear();
    await this.#loop.stop();
  }

  /** A schedule that has changed is not for times that have passed. */
  #changed(key: string, known: Known, before: Known | undefined): 'later' | undefined {
    if (!before || before.schedule === known.schedule) return undefined;
    void this.#reschedule(key);
    return 'later';
  }

  async #reschedule(key: string): Promise<void> {
    const {clock, events} = this.#loop;
    const cronJob = await this.#loop.read(key);
    if (!cronJob) return;
    const times = timesOf(cronJob.spec ?? {});
    if (typeof times !== 'string') {
      const now = clock.now();
      this.#rescheduled.set(key, now + millisUntilNext(cronJob as StoredCronJob, times, now));
      return;
    }
    const note = `unparseable schedule for cronjob: ${cronJob.spec?.schedule}`;
    const subject = {...cronJob, apiVersion: batchVersion, kind: cronJobKind};
    events.record(subject, {type: 'Warning', reason: 'UnParseableCronJobSchedule', note});
  }

  async #reconcile(found: Readonly<StoredCronJob>): Promise<WorkResult> {
    const {namespace = '', uid = ''} = found.metadata;
    try {
      const own = await this.#jobs.read(this.#jobs.controlledBy(namespace, uid));
      return await new CronJobRound(this.#parts, structuredClone(found) as StoredCronJob, own).sync();
    } catch (error) {
      if (isConflict(error)) return {again: conflictMillis};
      if (isNamespaceTerminating(error)) return done;
      throw error;
    }
  }
}
