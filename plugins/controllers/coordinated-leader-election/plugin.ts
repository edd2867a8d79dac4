import {
  controller,
  inject,
  isConflict,
  isNotFound,
  preconditionsOf,
  taskOf,
  Tokens,
  type ApiObject,
  type Clock,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {objectKey, Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';
import type {LeaseCandidate} from '../../../sdk/types/unchecked/coordination/v1beta1.js';
import {CandidateIndex} from './candidate-index.js';
import {candidateRef, isExpired, readCandidate} from './candidate.js';
import {Elections, leases} from './elections.js';

/** How often candidates are removed that count no longer, in milliseconds. */
const sweepMillis = 30 * 60_000;

/**
 * Chooses who holds a lease among the candidates for it, so that of processes of several releases the one leads that behaves like the oldest; Kubernetes has this in its
 * API server. Removes candidates that have not shown a sign of life for half an hour.
 */
@controller()
export class CoordinatedLeaderElection extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;
  readonly #naming: NamingProfile;
  readonly #logger: Logger;
  readonly #clock: Clock;
  #elections: Elections | undefined;
  #callOffSweep: () => void = () => undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    super({
      resources,
      naming,
      logger,
      cache,
      concurrency: 1,
      figures: {metrics, name: 'leader-election-controller'},
      types: [],
      reconcile: (lease) => this.#step(lease),
    });
    this.#resources = resources;
    this.#cache = cache;
    this.#naming = naming;
    this.#logger = logger;
    this.#clock = clock;
  }

  override async start(signal: AbortSignal): Promise<void> {
    await super.start(signal);
    const ref = candidateRef(this.#resources, this.#naming);
    if (!ref) return;
    const candidates = new CandidateIndex(this.#cache, ref);
    this.#elections = new Elections({
      resources: this.#resources,
      candidates,
      candidateRef: ref,
      clock: this.#clock,
      logger: this.#logger,
    });
    this.follow({
      ref,
      changed: (object) => {
        const lease = candidates.add(object);
        return isAwaited(object) ? [] : [lease];
      },
      deleted: (object) => [candidates.remove(object)],
    });
    const keyWithCandidates = (lease: ApiObject) => [objectKey(lease)].filter((key) => candidates.has(key));
    this.follow({ref: leases, metadataOnly: true, changed: keyWithCandidates});
    this.#sweepAgain(ref, signal, 0);
  }

  override async stop(): Promise<void> {
    this.#callOffSweep();
    await super.stop();
    await this.#sweeping;
  }

  #step(lease: string): Promise<WorkResult> {
    return this.#elections!.step(lease);
  }

  #sweepAgain(ref: ResourceRef, signal: AbortSignal, pause: number): void {
    this.#callOffSweep = this.#clock.after(pause, () => {
      this.#sweeping = this.#sweep(ref, signal)
        .catch((err: unknown) => this.#logger.warn({err}, 'candidates that have expired cannot be removed; it is tried again later'))
        .finally(() => signal.aborted || this.#sweepAgain(ref, signal, sweepMillis));
    });
  }

  async #sweep(ref: ResourceRef, signal: AbortSignal): Promise<void> {
    const task = taskOf(this.#resources, 'background', 'candidates that have expired');
    for (const kept of this.#cache.list(ref, '')) {
      if (signal.aborted) return;
      await task.yieldIfDue();
      if (!this.#hasExpired(await this.#cache.read(ref, kept))) continue;
      try {
        const object = await this.#resources.get(ref, kept.namespace, kept.name);
        if (this.#hasExpired(object)) await this.#resources.delete(ref, kept.namespace, kept.name, preconditionsOf(object));
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }

  #hasExpired(object: Readonly<ApiObject>): boolean {
    return isExpired(readCandidate(object as LeaseCandidate), this.#clock.now());
  }
}

/** Whether a candidate was asked and has not answered: the election goes on with its answer, or when its time is over. */
function isAwaited(object: ApiObject): boolean {
  const {pinged, renewed} = readCandidate(object as LeaseCandidate);
  return pinged !== undefined && (renewed === undefined || renewed < pinged);
}
