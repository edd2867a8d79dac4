import {
  isNamespaceTerminating,
  ifFound,
  isAlreadyExists,
  secondTime,
  type ApiObject,
  type Clock,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, type EventRecorder, type WorkResult} from '../../../sdk/controllers/index.js';
import type {CronJobStatus} from '../../../sdk/types/unchecked/batch/v1.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';
import {TimeZone} from '../../families/cron-schedules/time-zone.js';
import {
  batchVersion,
  cronJobKind,
  cronJobs,
  endOf,
  jobKind,
  jobName,
  jobOf,
  jobs,
  type StoredCronJob,
  type StoredJob,
} from './cron-job-object.js';
import {millisUntilNext, missedRuns} from './missed-runs.js';
import {namesZone, timesOf, unknownZone, type Times} from './schedule-of.js';

export interface CronJobParts {
  readonly resources: ResourceClient;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** The annotation of Jobs with the time that they are for; undefined for none. */
  readonly timeKey: string | undefined;
}

/** One look at a CronJob and its Jobs. */
export class CronJobRound {
  readonly #parts: CronJobParts;
  /** A copy, whose status is changed. */
  #cronJob: StoredCronJob;
  readonly #jobs: readonly StoredJob[];
  readonly #now: number;
  #isChanged = false;

  constructor(parts: CronJobParts, cronJob: StoredCronJob, ownJobs: readonly StoredJob[]) {
    this.#parts = parts;
    this.#cronJob = cronJob;
    this.#jobs = ownJobs;
    this.#now = parts.clock.now();
  }

  /** Does what is due, and says when to look again. @throws the first failure, after the status has been written */
  async sync(): Promise<WorkResult> {
    await this.#cleanUp();
    let result: WorkResult = done;
    let error: unknown;
    try {
      const again = await this.#run();
      if (again !== undefined) result = {again};
    } catch (failure) {
      error = failure;
    }
    if (this.#isChanged) await this.#save();
    if (error !== undefined) throw error as Error;
    return result;
  }

  get #status(): CronJobStatus {
    return (this.#cronJob.status ??= {});
  }

  #event(type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.#parts.events.record({...this.#cronJob, apiVersion: batchVersion, kind: cronJobKind}, {type, reason, note});
  }

  async #save(): Promise<void> {
    const {resources} = this.#parts;
    const whole = {...this.#cronJob, apiVersion: batchVersion, kind: cronJobKind};
    await resources.update(cronJobs, whole.metadata.namespace!, whole as ApiObject, 'status');
  }

  /** Deletes the oldest Jobs that have ended, beyond those that are kept. */
  async #cleanUp(): Promise<void> {
    const {successfulJobsHistoryLimit: successes, failedJobsHistoryLimit: failures} = this.#cronJob.spec ?? {};
    for (const [end, limit] of [['Complete', successes] as const, ['Failed', failures] as const]) {
      if (typeof limit !== 'number') continue;
      const ended = this.#jobs.filter((job) => endOf(job) === end).toSorted(byStart);
      for (const job of ended.slice(0, Math.max(ended.length - limit, 0))) await this.#delete(job);
    }
  }

  /** A Job with its pods. False if it could not be deleted. */
  async #delete({metadata: {name = '', namespace = '', uid}}: StoredJob): Promise<boolean> {
    try {
      await this.#parts.resources.delete(jobs, namespace, name, {propagationPolicy: 'Background'});
    } catch (error) {
      this.#event('Warning', 'FailedDelete', `Deleted job: ${(error as Error).message}`);
      return false;
    }
    this.#forget(uid!);
    this.#event('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  #isActive(uid: string): boolean {
    return this.#status.active?.some((job) => job.uid === uid) ?? false;
  }

  #forget(uid: string): void {
    const others = (this.#status.active ?? []).filter((job) => job.uid !== uid);
    if (others.length > 0) this.#status.active = others;
    else delete this.#status.active;
    this.#isChanged = true;
  }

  /** Answers after how many milliseconds to look again; undefined for not before something changes. */
  async #run(): Promise<number | undefined> {
    await this.#noteJobs();
    await this.#noteMissing();
    const {metadata, spec = {}} = this.#cronJob;
    if (metadata.deletionTimestamp) return undefined;
    const zone = unknownZone(spec);
    if (zone !== undefined) {
      this.#event('Warning', 'UnknownTimeZone', `invalid timeZone: ${JSON.stringify(zone)}: unknown time zone ${zone}`);
      return undefined;
    }
    if (spec.suspend === true) return undefined;
    const {schedule = ''} = spec;
    if (namesZone(spec)) this.#event('Warning', 'UnsupportedSchedule', unsupported(schedule));
    const times = timesOf(spec);
    if (typeof times === 'string') {
      this.#event('Warning', 'UnparseableSchedule', `unparseable schedule: ${JSON.stringify(schedule)} : ${times}`);
      return undefined;
    }
    const due = this.#due(times);
    if (due === 'never') return undefined;
    if (due !== undefined && !(await this.#start(due))) return undefined;
    return millisUntilNext(this.#cronJob, times, this.#now);
  }

  /** The time that has come and has no Job yet. */
  #due(times: Times): number | 'never' | undefined {
    const {spec = {}} = this.#cronJob;
    let missed;
    try {
      missed = missedRuns(this.#cronJob, times, this.#now, true);
    } catch (error) {
      this.#event('Warning', 'InvalidSchedule', `invalid schedule: ${spec.schedule} : ${(error as Error).message}`);
      return 'never';
    }
    const {last, howMany} = missed;
    if (last === undefined) return undefined;
    if (howMany === 'many')
      this.#event(
        'Warning',
        'TooManyMissedTimes',
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      );
    const {startingDeadlineSeconds: deadline} = spec;
    if (typeof deadline !== 'number' || last + deadline * 1000 >= this.#now) return last;
    const text = new Date(last).toUTCString().replace('GMT', '+0000');
    this.#event('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${text}`);
    return undefined;
  }

  /** Notes which Jobs are active and which have ended. */
  async #noteJobs(): Promise<void> {
    for (const job of this.#jobs) {
      const {name, uid = ''} = job.metadata;
      const end = endOf(job);
      const isActive = this.#isActive(uid);
      if (!end) {
        if (!isActive && !(await this.#isActiveByNow(uid)))
          this.#event('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
        continue;
      }
      if (isActive) {
        this.#forget(uid);
        this.#event('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end}`);
      }
      const {completionTime} = job.status ?? {};
      const {lastSuccessfulTime} = this.#status;
      if (end !== 'Complete' || !completionTime) continue;
      if (lastSuccessfulTime && Date.parse(completionTime) <= Date.parse(lastSuccessfulTime)) continue;
      this.#status.lastSuccessfulTime = completionTime;
      this.#isChanged = true;
    }
  }

  /** What is in the cache may be older than what this controller has written. */
  async #isActiveByNow(uid: string): Promise<boolean> {
    const {namespace = '', name = ''} = this.#cronJob.metadata;
    const fresh = (await this.#parts.resources.get(cronJobs, namespace, name)) as StoredCronJob;
    if (!fresh.status?.active?.some((job) => job.uid === uid)) return false;
    this.#cronJob = fresh;
    return true;
  }

  async #noteMissing(): Promise<void> {
    const known = new Set(this.#jobs.map(({metadata}) => metadata.uid));
    for (const {uid = '', name = '', namespace = ''} of [...(this.#status.active ?? [])]) {
      if (known.has(uid) || (await ifFound(this.#parts.resources.get(jobs, namespace, name)))) continue;
      this.#event('Normal', 'MissingJob', `Active job went missing: ${name}`);
      this.#forget(uid);
    }
  }

  /** Makes the Job of a time unless it was made already, or others do not allow it. False if nothing is to follow. @throws StatusError */
  async #start(time: number): Promise<boolean> {
    const {spec = {}, metadata} = this.#cronJob;
    const name = jobName(this.#cronJob, time);
    const active = this.#status.active ?? [];
    const {lastScheduleTime} = this.#status;
    if (active.some((job) => job.name === name && job.namespace === metadata.namespace)) return true;
    if (lastScheduleTime && Date.parse(lastScheduleTime) === time) return true;
    if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
      this.#event('Normal', 'JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid');
      return true;
    }
    if (spec.concurrencyPolicy === 'Replace') await this.#replace();
    const job = await this.#create(time);
    if (!job) return false;
    this.#status.active = [...(this.#status.active ?? []), referenceTo(job)];
    this.#status.lastScheduleTime = secondTime(time);
    this.#isChanged = true;
    return true;
  }

  /** @throws Error if an active Job cannot be deleted */
  async #replace(): Promise<void> {
    for (const {name = '', namespace = ''} of [...(this.#status.active ?? [])]) {
      let job: StoredJob;
      try {
        job = (await this.#parts.resources.get(jobs, namespace, name)) as StoredJob;
      } catch (error) {
        this.#event('Warning', 'FailedGet', `Get job: ${(error as Error).message}`);
        throw error;
      }
      if (!(await this.#delete(job))) throw new Error(`could not replace job ${namespace}/${name}`);
    }
  }

  /** The Job, which may have been made before its CronJob's status was written. Undefined for one of somebody else, or that is noted already. */
  async #create(time: number): Promise<StoredJob | undefined> {
    const {resources, timeKey} = this.#parts;
    const {spec = {}, metadata} = this.#cronJob;
    const annotations = timeKey === undefined ? {} : {[timeKey]: new TimeZone(spec.timeZone || 'UTC').text(time)};
    const wanted = jobOf(this.#cronJob, time, annotations);
    try {
      const made = (await resources.create(jobs, metadata.namespace!, wanted)) as StoredJob;
      this.#event('Normal', 'SuccessfulCreate', `Created job ${made.metadata.name}`);
      return made;
    } catch (error) {
      if (isAlreadyExists(error)) {
        const present = (await resources.get(jobs, metadata.namespace!, wanted.metadata.name!)) as StoredJob;
        return controllerOf(present)?.uid === metadata.uid && !this.#isActive(present.metadata.uid!) ? present : undefined;
      }
      if (!isNamespaceTerminating(error)) this.#event('Warning', 'FailedCreate', `Error creating job: ${(error as Error).message}`);
      throw error;
    }
  }
}

/** Those that have not begun come last. */
function byStart(one: StoredJob, other: StoredJob): number {
  const [first, second] = [one, other].map(({status}) => (status?.startTime ? Date.parse(status.startTime) : Infinity));
  if (first !== second) return first! < second! ? -1 : 1;
  return one.metadata.name! < other.metadata.name! ? -1 : 1;
}

function referenceTo({metadata: {name, namespace, uid, resourceVersion}}: StoredJob): NonNullable<CronJobStatus['active']>[number] {
  return {
    kind: jobKind,
    namespace: namespace!,
    name: name!,
    uid: uid!,
    apiVersion: batchVersion,
    ...(resourceVersion ? {resourceVersion} : {}),
  };
}

function unsupported(schedule: string): string {
  const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
  return `CRON_TZ or TZ used in schedule ${JSON.stringify(schedule)} is not officially supported, see ${page} for more details`;
}
