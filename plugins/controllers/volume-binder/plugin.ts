import {
  controller,
  inject,
  isConflict,
  isNotFound,
  Tokens,
  type Clock,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, EventRecorder, systemClock, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import {ClaimSync} from './claim-sync.js';
import {Provisioning} from './provisioning.js';
import {StorageCache} from './storage-cache.js';
import {component, StorageWriter} from './storage-writer.js';
import {VolumeSync} from './volume-sync.js';

/** How often claims that wait are looked at again. As in Kubernetes. */
const resyncMillis = 15_000;
/** After an object was written by somebody else. */
const overtakenMillis = 20;

/** Binds PersistentVolumeClaims to PersistentVolumes, and makes volumes for them. */
@controller()
export class VolumeBinder implements Controller {
  readonly #clock: Clock;
  readonly #storage: StorageCache;
  readonly #claimSync: ClaimSync;
  readonly #volumeSync: VolumeSync;
  readonly #claims: WorkQueue;
  readonly #volumes: WorkQueue;
  readonly #events: EventRecorder;
  /** Keys of claims that wait for a volume. */
  readonly #waiting = new Set<string>();
  /** How often something was offered to those that wait. */
  #looks = 0;
  #listed: Promise<unknown> = Promise.resolve();
  #callOff: () => void = () => undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#clock = resources.clock ?? systemClock;
    const queue = (name: string, work: (key: string) => Promise<void>) =>
      new WorkQueue((key) => this.#reconcile(key, work), {
        clock: this.#clock,
        scheduler: resources.scheduler,
        concurrency: config['concurrency'] as number,
        figures: {metrics, name},
        onError: (key, err) => logger.debug({key, err}, 'a claim or volume could not be brought in order; retrying'),
      });
    this.#claims = queue('claims', (key) => this.#syncClaim(key));
    this.#volumes = queue('volumes', (key) => this.#syncVolume(key));
    this.#events = new EventRecorder({resources, logger, controller: component, form: 'core'});
    const storage = new StorageCache({
      cache,
      claimChanged: (key) => this.#claims.add(key),
      volumeChanged: (name) => this.#volumes.add(name),
      offered: () => this.#lookAgain(),
      failed: (key, err) => logger.warn({key, err}, 'an object cannot be read'),
    });
    this.#storage = storage;
    const writer = new StorageWriter(resources, this.#events, naming, gates, (volume) => storage.take(volume));
    const provisioning = new Provisioning(resources, naming, storage, writer);
    this.#claimSync = new ClaimSync({resources, naming, storage, writer, provisioning});
    this.#volumeSync = new VolumeSync({resources, storage, writer, claimConcerned: (key) => this.#claims.add(key)});
  }

  start(signal: AbortSignal): Promise<void> {
    this.#listed = this.#storage.start(signal);
    this.#resyncLater();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#callOff();
    await this.#claims.close();
    await this.#volumes.close();
    await this.#events.close();
  }

  #resyncLater(): void {
    this.#callOff = this.#clock.after(resyncMillis, () => {
      this.#lookAgain();
      this.#resyncLater();
    });
  }

  #lookAgain(): void {
    this.#looks += 1;
    for (const key of this.#waiting) this.#claims.add(key);
  }

  async #reconcile(key: string, work: (key: string) => Promise<void>): Promise<WorkResult> {
    await this.#listed;
    try {
      await work(key);
    } catch (error) {
      if (isConflict(error)) return {again: overtakenMillis};
      if (!isNotFound(error)) throw error;
    }
    return done;
  }

  async #syncClaim(key: string): Promise<void> {
    const claim = await this.#storage.claim(key);
    this.#waiting.delete(key);
    const looks = this.#looks;
    if (!claim || !(await this.#claimSync.sync(claim))) return;
    this.#waiting.add(key);
    // Something was offered while it was being looked at.
    if (looks !== this.#looks) this.#claims.add(key);
  }

  async #syncVolume(name: string): Promise<void> {
    const volume = await this.#storage.volume(name);
    if (volume) await this.#volumeSync.sync(volume);
  }
}
