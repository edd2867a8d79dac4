import type {Logger} from '../../contracts/logger.js';
import type {ResourceClient} from '../../contracts/resource-client.js';
import {ifFound, isOvertaken} from '../../errors/outcomes.js';
import type {ApiObject} from '../../objects/api-object.js';
import {untilBeat} from '../../values/every.js';
import {followObjects} from '../follow-objects.js';
import {heldLease, holderOf, leases, releasedLease, stateOf, type Lease} from './lease-record.js';
import {LeaderTerm, moment} from './leader-term.js';

/** Durations of leader election, in milliseconds. */
export interface ElectionTimes {
  /** How long other candidates respect a lease that is not renewed; whole seconds. */
  readonly leaseMillis: number;
  /** A leader that could not renew the lease for this long stops leading; shorter than `leaseMillis`. */
  readonly renewDeadlineMillis: number;
  /** Between attempts after a failure; shorter than `renewDeadlineMillis`. */
  readonly retryMillis: number;
}

/** Fences off earlier leaders. */
export interface Fencing {
  /**
   * Called once the lease is held: refuses writes of earlier holders from then on.
   *
   * @returns whether that succeeded; if not, the lease is released
   */
  raise(term: LeaderTerm): Promise<boolean>;
}

export interface LeaderElectorOptions {
  readonly resources: Pick<ResourceClient, 'create' | 'get' | 'list' | 'update' | 'watch'>;
  readonly namespace: string;
  /** Of the lease. */
  readonly name: string;
  /** Unique identity of this candidate in the lease. */
  readonly identity: string;
  readonly times: ElectionTimes;
  /** Annotations of the lease while this candidate holds it. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether a holder is known to be gone, so that its lease, which has been the same since a time (by `performance.now()`), need not run out. */
  readonly isGone?: (holder: string, since: number) => boolean;
  /**
   * The term of another election of this process, if any, on which this one depends. It ends with that one, and its lease lasts longer and is renewed less
   * often. Candidates consider the holder gone (`isGone`) once that other lease has been taken from it.
   */
  readonly rides?: () => LeaderTerm | undefined;
  /** False if there can be no other candidate: the lease only shows the leader, and is not renewed. */
  readonly renews?: boolean;
  readonly fencing?: Fencing;
  readonly logger: Logger;
  /** Called when a term has begun. Work that it starts must end when the term's signal fires. */
  onStart(term: LeaderTerm): void;
  /** Called when a term has ended; the next one does not begin, and the lease is not released, before it resolves. */
  onEnd(term: LeaderTerm): Promise<void>;
  /** Called whenever another holder is seen. */
  onHolder?(lease: ApiObject): void;
}

/** How often a lease is renewed: so that two attempts may fail before it runs out. */
const renewalsPerLease = 3;
/** How many times longer a lease lasts that rides on another: each renewal is a whole write, and who waits for it looks at the other one. */
const ridingStretch = 6;

/**
 * One candidate for a lease: takes it when it is free, renews it, and ends the term when that fails for too long. Follows the lease by a watch, so a
 * lease that is released is taken at once, and waiting costs nothing.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #stopping = new AbortController();
  #term: LeaderTerm | undefined;
  /** How many times longer than usual the lease lasts, as it was written last: the one on which it rides may have come later. */
  #stretch = 1;
  /** The lease as last seen, and since when it has been the same. */
  #seen: {readonly lease: Lease; readonly state: string; readonly since: number} | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #wakeSleeper: () => void = () => undefined;
  /** Something happened while the loop did not sleep. */
  #awake = false;
  #ended: Promise<void> = Promise.resolve();
  #running: Promise<unknown> | undefined;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
  }

  /** The term for which this candidate leads; undefined while it does not. */
  get term(): LeaderTerm | undefined {
    return this.#term?.isValid ? this.#term : undefined;
  }

  /** Becomes a candidate. Resolves after the first attempt, successful or not. */
  async start(): Promise<void> {
    const first = this.#attempt();
    this.#running = first.then((pause) => Promise.all([this.#follow(), this.#run(pause)]));
    await first;
  }

  /** Ends the term if there is one, then releases the lease: another candidate takes it at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // Its term may have ended just now, with the one on which it rode.
    const isHeld = this.#term !== undefined || holderOf(this.#seen?.lease) === this.#options.identity;
    this.#end('it is being stopped');
    this.#wake();
    await this.#ended;
    await this.#running;
    if (isHeld) await this.#release();
  }

  #follow(): Promise<void> {
    const {resources, namespace, name, logger} = this.#options;
    return followObjects(
      resources,
      leases,
      {
        listed: ([lease]) => this.#relisted(lease as Lease | undefined),
        changed: (lease) => this.#look(lease as Lease),
        deleted: () => this.#gone(),
        failed: (error) => logger.warn({lease: name, err: error}, 'a lease cannot be watched; retrying'),
      },
      this.#stopping.signal,
      {fieldSelector: `metadata.name=${name},metadata.namespace=${namespace}`},
    );
  }

  /** Ends the term, and becomes a candidate again at once. @param reason for the log */
  async stepDown(reason: string): Promise<void> {
    this.#end(reason);
    await this.#ended;
  }

  /** Checks again whether the holder is gone. */
  reconsider(): void {
    if (!this.#term) this.#wake();
  }

  async #run(first: number): Promise<void> {
    for (let pause = first; ; pause = await this.#attempt()) {
      await this.#sleep(pause);
      if (this.#stopping.signal.aborted) return;
    }
  }

  /** Renews, or tries to acquire. Returns the milliseconds until the next attempt. */
  async #attempt(): Promise<number> {
    const {logger, name, times} = this.#options;
    try {
      return await (this.#term ? this.#renew(this.#term) : this.#acquire());
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        logger.warn({lease: name, err: error}, 'a lease could not be taken or renewed; it is tried again');
      return times.retryMillis;
    }
  }

  async #acquire(): Promise<number> {
    await this.#ended;
    const {identity, isGone, fencing, logger, name, times} = this.#options;
    const found = await this.#read();
    if (found) this.#see(found);
    const holder = holderOf(found);
    if (found && holder !== '' && holder !== identity && isGone?.(holder, this.#seen!.since) !== true) {
      const left = this.#leftMillis(found);
      if (left > 0) return left;
    }
    const term = new LeaderTerm(identity);
    if (!(await this.#hold(found ?? this.#newLease(), term))) return Math.random() * 100;
    const isFenced = fencing === undefined || (await fencing.raise(term));
    // It may have been stopped during any of these waits.
    if (!isFenced || this.#stopping.signal.aborted || !term.isValid) {
      await this.#release();
      return times.retryMillis;
    }
    this.#term = term;
    logger.info({lease: name, holder: identity}, 'leads');
    this.#options.onStart(term);
    return this.#untilRenewal;
  }

  async #renew(term: LeaderTerm): Promise<number> {
    const lease = this.#seen!.lease;
    if (this.#options.renews === false) return Infinity;
    if (await this.#hold(lease, term)) return this.#untilRenewal;
    const found = await this.#read();
    if (found) this.#look(found);
    else this.#gone();
    // Somebody changed something else about the lease: the next attempt is based on that.
    return 0;
  }

  /** Writes the lease, and extends the term. Resolves with false if another process has changed the lease. */
  async #hold(lease: Lease, term: LeaderTerm): Promise<boolean> {
    const {resources, namespace, identity, times, annotations = {}, renews} = this.#options;
    const from = moment();
    const ridden = this.#ridden;
    const stretch = ridden ? ridingStretch : 1;
    const wanted = heldLease(lease, identity, (times.leaseMillis * stretch) / 1000, annotations);
    try {
      const written = lease.metadata.resourceVersion
        ? await resources.update(leases, namespace, wanted)
        : await resources.create(leases, namespace, wanted);
      this.#see(written as Lease);
      this.#stretch = stretch;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
    if (renews === false) return true;
    const deadlineMillis = times.renewDeadlineMillis * stretch;
    term.extend(from, deadlineMillis);
    if (ridden && term.rideOn(ridden)) {
      const end = () => this.#term === term && this.#end('the lease on which it rides is lost');
      ridden.signal.addEventListener('abort', end, {once: true, signal: term.signal});
    }
    clearTimeout(this.#expiry);
    const left = Math.max(0, deadlineMillis - (performance.now() - from.monotonic));
    this.#expiry = setTimeout(() => this.#checkExpiry(term, deadlineMillis), left).unref();
    return true;
  }

  #checkExpiry(term: LeaderTerm, deadlineMillis: number): void {
    if (this.#term === term) this.#end(`the lease could not be renewed for ${deadlineMillis / 1000} s`);
  }

  async #release(): Promise<void> {
    const {resources, namespace, identity, name, logger} = this.#options;
    try {
      const found = await this.#read();
      if (found && holderOf(found) === identity) await resources.update(leases, namespace, releasedLease(found));
    } catch (error) {
      logger.warn({lease: name, err: error}, 'a lease could not be released: others take it once it has run out');
    }
  }

  #end(reason: string): void {
    const term = this.#term;
    if (!term) return;
    this.#term = undefined;
    clearTimeout(this.#expiry);
    const {logger, name, identity, onEnd} = this.#options;
    logger.info({lease: name, holder: identity, reason}, 'no longer leads');
    term.end(reason);
    this.#ended = onEnd(term);
    this.#wake();
  }

  /** Takes notice of a lease that has changed. */
  #look(lease: Lease): void {
    this.#see(lease);
    const holder = holderOf(lease);
    const {identity} = this.#options;
    if (this.#term && holder !== identity) this.#end(holder === '' ? 'the lease was released' : `${holder} holds the lease`);
    else if (!this.#term && holder === '') this.#wake();
  }

  #see(lease: Lease): void {
    const before = this.#seen;
    // The watch also reports writes of this process, later.
    if (before && Number(lease.metadata.resourceVersion) < Number(before.lease.metadata.resourceVersion)) return;
    const state = stateOf(lease);
    this.#seen = {lease, state, since: before?.state === state ? before.since : performance.now()};
    if (holderOf(before?.lease) !== holderOf(lease)) this.#options.onHolder?.(lease);
  }

  /** After a list: the store may have lost the lease. */
  #relisted(lease: Lease | undefined): void {
    if (!lease) return this.#gone();
    if (Number(lease.metadata.resourceVersion) < Number(this.#seen?.lease.metadata.resourceVersion)) this.#seen = undefined;
    this.#look(lease);
  }

  #gone(): void {
    this.#seen = undefined;
    this.#end('the lease was deleted');
    this.#wake();
  }

  /** For how long the holder of a lease may still lead, counted from when the lease was first seen as it is. */
  #leftMillis({spec}: Lease): number {
    const duration = (spec?.leaseDurationSeconds ?? this.#options.times.leaseMillis / 1000) * 1000;
    return this.#seen!.since + duration - performance.now();
  }

  #newLease(): Lease {
    const {namespace, name} = this.#options;
    return {apiVersion: '', kind: '', metadata: {name, namespace}} as unknown as Lease;
  }

  async #read(): Promise<Lease | undefined> {
    const {resources, namespace, name} = this.#options;
    return (await ifFound(resources.get(leases, namespace, name))) as Lease | undefined;
  }

  get #ridden(): LeaderTerm | undefined {
    return this.#options.renews === false ? undefined : this.#options.rides?.();
  }

  /** All candidates of a process renew their leases at the same moments, with everything else that is due: an idle process wakes once, and its store answers them together. */
  get #untilRenewal(): number {
    const {times, renews} = this.#options;
    if (renews === false) return Infinity;
    return untilBeat(Math.min(times.leaseMillis / renewalsPerLease, times.renewDeadlineMillis / 2) * this.#stretch);
  }

  /** Until the time is over, or something has happened that matters. */
  async #sleep(milliseconds: number): Promise<void> {
    if (!this.#awake && !this.#stopping.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = milliseconds === Infinity ? undefined : setTimeout(resolve, milliseconds).unref();
        this.#wakeSleeper = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#awake = false;
  }

  #wake(): void {
    this.#awake = true;
    this.#wakeSleeper();
  }
}
