import {
  controller,
  groupResourceText,
  inject,
  isConflict,
  isNotFound,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type FeatureGates,
  type NamingProfile,
  type ResourceClient,
  type ServedResource,
} from '../../../sdk/index.js';
import {followObjects, systemClock, WorkQueue, type Clock, type WorkResult} from '../../../sdk/controllers/index.js';
import {sameAmounts, type Amounts} from '../../families/quota/amounts.js';
import {QuotaEvaluators} from '../../families/quota/evaluators.js';
import {resourceQuotas, type ResourceQuota} from '../../families/quota/quota-object.js';
import {FollowedTypes} from './followed-types.js';
import {countedOf, countNamespace, usedAfter, type CountedType} from './namespace-count.js';
import {TrackedQuotas} from './tracked-quotas.js';

/** How often to check for types that a quota names but that are not served yet. */
const typesMillis = 10_000;
/** The pause after a count, per object: about ten times the time of counting it. */
const restPerObjectMillis = 0.3;
const shortestPauseMillis = 20;
const longestPauseMillis = 5000;

/**
 * Keeps the status of quotas equal to the actual usage. Admission charges objects before they are stored. This controller releases what was
 * deleted or never stored, and counts for new and changed quotas.
 *
 * Several servers may do this at once: each counts by itself and writes only on top of the last state of the quota that it has seen, with
 * all charges up to then.
 */
@controller()
export class ResourceQuotaController implements Controller {
  readonly #evaluators: QuotaEvaluators;
  readonly #quotas: TrackedQuotas;
  readonly #settleMillis: number;
  readonly #abort = new AbortController();
  /** By namespace, the time before which it is not counted again, and what calls off the next count. */
  readonly #restUntil = new Map<string, number>();
  readonly #timers = new Map<string, () => void>();
  #types: readonly CountedType[] = [];
  #callOffTypes: () => void = () => undefined;
  #running: Promise<unknown> = Promise.resolve();
  #queue!: WorkQueue;
  #followed!: FollowedTypes;

  readonly #resources: ResourceClient;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #metrics: Metrics;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#resources = resources;
    this.#clock = resources.clock ?? systemClock;
    this.#logger = logger;
    this.#config = config;
    this.#metrics = metrics;

    this.#evaluators = new QuotaEvaluators(naming, gates);
    this.#settleMillis = config['settleMilliseconds'] as number;
    this.#quotas = new TrackedQuotas(this.#settleMillis);
  }

  start(_signal: AbortSignal): Promise<void> {
    this.#queue = new WorkQueue((namespace) => this.#sync(namespace), {
      clock: this.#clock,
      scheduler: this.#resources.scheduler,
      concurrency: this.#config['concurrency'] as number,
      figures: {metrics: this.#metrics, name: 'resource_quota'},
      onError: (namespace, error) => this.#logger.warn({namespace, err: error}, 'quotas could not be counted; it is tried again'),
    });
    this.#followed = new FollowedTypes(this.#resources, this.#logger, {
      lost: () => this.#syncAll(),
      changed: (type, object) => this.#changed(type, object),
      deleted: (type, object) => this.#gone(type, object),
    });
    this.#running = followObjects(
      this.#resources,
      resourceQuotas,
      {
        listed: () => {
          this.#quotas.distrust(this.#clock.now());
          this.#chooseTypes();
          this.#syncAll();
        },
        changed: (object) => this.#observe(object),
        deleted: (object) => {
          this.#quotas.remove(object);
          this.#chooseTypes();
        },
        failed: (error) => this.#logger.warn({err: error}, 'quotas cannot be watched; retrying'),
      },
      this.#abort.signal,
    );
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#callOffTypes();
    for (const callOff of this.#timers.values()) callOff();
    await this.#running;
    await this.#followed.close();
    await this.#queue.close();
  }

  #syncAll(): void {
    for (const namespace of this.#quotas.namespaces) this.#queue.add(namespace);
  }

  #observe(object: ApiObject): void {
    const namespace = object.metadata.namespace!;
    if (this.#quotas.observe(object, this.#clock.now())) {
      this.#chooseTypes();
      this.#queue.add(namespace);
    } else {
      this.#syncLater(namespace);
    }
  }

  /** Schedules a count of a namespace for when a charge expires, unless its object appears first. */
  #syncLater(namespace: string): void {
    if (this.#timers.has(namespace) || this.#abort.signal.aborted) return;
    const expiries = this.#quotas.of(namespace).flatMap(({ledger}) => ledger.firstExpiry(this.#clock.now()) ?? []);
    if (expiries.length === 0) return;
    const callOff = this.#clock.after(Math.max(Math.min(...expiries) - this.#clock.now(), shortestPauseMillis), () => {
      this.#timers.delete(namespace);
      const quotas = this.#quotas.of(namespace);
      const now = this.#clock.now();
      if (quotas.map(({ledger}) => ledger.takeExpired(now)).includes(true)) this.#queue.add(namespace);
      this.#syncLater(namespace);
    });
    this.#timers.set(namespace, callOff);
  }

  #changed(type: CountedType, object: ApiObject): void {
    const {namespace = ''} = object.metadata;
    const isWaitedFor = this.#settle(type, object);
    if (isWaitedFor || type.evaluator.mayUseLess(object)) this.#syncIfLimited(namespace);
  }

  #gone(type: CountedType, object: ApiObject): void {
    this.#settle(type, object);
    this.#syncIfLimited(object.metadata.namespace ?? '');
  }

  #syncIfLimited(namespace: string): void {
    if (this.#quotas.of(namespace).length > 0) this.#queue.add(namespace);
  }

  /** Informs the ledgers about an object. Returns whether a quota was waiting for it. */
  #settle({evaluator}: CountedType, object: ApiObject): boolean {
    const {namespace = '', uid = '', creationTimestamp = ''} = object.metadata;
    const created = Date.parse(creationTimestamp ?? '');
    let isWaitedFor = false;
    for (const {quota, ledger, held} of this.#quotas.of(namespace)) {
      const hard = new Set(Object.keys(quota.spec?.hard ?? {}));
      const counted = countedOf(quota, evaluator, object, hard);
      const isNews = ledger.settle(uid, created, counted, this.#clock.now());
      isWaitedFor ||= isNews && held;
    }
    return isWaitedFor;
  }

  /** Watches the types that the quotas count; types that are not served yet are checked again later. */
  #chooseTypes(): void {
    if (this.#abort.signal.aborted) return;
    const hard = [...new Set([...this.#quotas.all()].flatMap(({quota}) => Object.keys(quota.spec?.hard ?? {})))];
    const types = hard.length === 0 ? [] : this.#countedTypes(hard);
    const known = new Set(this.#types.map(({ref}) => groupResourceText(ref)));
    const hasNew = types.some(({ref}) => !known.has(groupResourceText(ref)));
    this.#types = types;
    this.#followed.set(types);
    if (hasNew) this.#syncAll();
    this.#callOffTypes();
    if (hard.some((name) => name.startsWith('count/'))) this.#callOffTypes = this.#clock.after(typesMillis, () => this.#chooseTypes());
  }

  #countedTypes(hard: readonly string[]): CountedType[] {
    const served = new Map<string, ServedResource>();
    for (const type of this.#resources.resources()) {
      const isListed = type.namespaced && !type.resource.includes('/') && type.verbs.includes('list') && type.verbs.includes('watch');
      const key = `${type.resource}.${type.group}`;
      if (isListed && !served.has(key)) served.set(key, type);
    }
    return [...served.values()].flatMap((ref) => {
      const evaluator = this.#evaluators.of(ref);
      return evaluator && hard.some((name) => evaluator.counts(name)) ? [{ref, evaluator}] : [];
    });
  }

  async #sync(namespace: string): Promise<WorkResult> {
    const rest = (this.#restUntil.get(namespace) ?? 0) - performance.now();
    if (rest > 0) return {again: rest};
    const tracked = this.#quotas.of(namespace);
    if (tracked.length === 0) {
      this.#restUntil.delete(namespace);
      return {done: true};
    }
    // The current states: any later charge makes the write below fail.
    const now = this.#clock.now();
    const states = tracked.map((one) => ({one, quota: one.quota, pending: one.ledger.pending(now)}));
    const {used: counts, objects} = await countNamespace(
      this.#resources,
      namespace,
      states.map(({quota}) => quota),
      this.#types,
    );
    const pause = Math.min(shortestPauseMillis + objects * restPerObjectMillis, longestPauseMillis);
    this.#restUntil.set(namespace, performance.now() + pause);
    let isDone = true;
    for (const {one, quota, pending} of states) {
      const {used, held} = usedAfter(quota, counts.get(quota.metadata.name!)!, pending);
      // Set before checking what has settled: from here on it is reported.
      one.held = held;
      const isReported = await this.#report(quota, used);
      const still = one.ledger.pending(this.#clock.now());
      const hasSettled = held && [...pending].some(([name, amount]) => (still.get(name) ?? 0n) < amount);
      if (!isReported || hasSettled) isDone = false;
    }
    this.#syncLater(namespace);
    return {again: isDone ? (this.#config['resyncSeconds'] as number) * 1000 : pause};
  }

  /** Writes the usage into the status of a quota. Returns whether the status is now correct. */
  async #report(quota: ResourceQuota, used: Amounts): Promise<boolean> {
    const hard = quota.spec?.hard ?? {};
    if (quota.status?.hard && sameAmounts(hard, quota.status.hard) && sameAmounts(used, quota.status.used ?? {})) return true;
    try {
      await this.#resources.update(resourceQuotas, quota.metadata.namespace!, {...quota, status: {hard, used}}, 'status');
      return true;
    } catch (error) {
      // Changed meanwhile, which the watch will report, or deleted.
      if (isConflict(error)) return false;
      if (isNotFound(error)) return true;
      throw error;
    }
  }
}
