import {
  controller,
  inject,
  Tokens,
  type Controller,
  type Expressions,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {profilesOf, type ProfileSettings, type Rules} from './decision/profile.js';
import type {DefaultSpread} from './model/default-spread.js';
import {noDevices, type DeviceView} from './model/device-view.js';
import type {StorageView} from './model/storage-view.js';
import {rulesOf} from './rules.js';
import {Scheduling} from './scheduling.js';

interface Settings {
  readonly profiles: readonly ProfileSettings[];
  readonly seed: number;
}

const noDefaults = {constraintsFor: () => undefined};
const noStorage: StorageView = {
  claim: () => undefined,
  volume: () => undefined,
  storageClass: () => undefined,
  driver: () => undefined,
  csiNode: () => undefined,
  attachments: () => [],
  freeVolumes: () => [],
  reservedFor: () => undefined,
  reservedNode: () => undefined,
};

/** Gives pods their nodes. */
@controller()
export class KubeScheduler implements Controller {
  readonly #settings: Settings;
  readonly #rules: (defaults: DefaultSpread, storage: StorageView, devices: DeviceView) => Rules;
  readonly #make: () => Scheduling;
  #scheduling: Scheduling | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    const settings = config as unknown as Settings;
    this.#settings = settings;
    this.#rules = (defaults, storage, devices) => rulesOf(naming, gates, defaults, storage, devices);
    this.#make = () =>
      new Scheduling({
        resources,
        cache,
        naming,
        gates,
        logger,
        metrics,
        seed: settings.seed,
        expressions,
        profiles: (defaults, storage, devices) => profilesOf(settings.profiles, this.#rules(defaults, storage, devices)),
      });
  }

  async check(): Promise<void> {
    profilesOf(this.#settings.profiles, this.#rules(noDefaults, noStorage, noDevices));
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#scheduling = this.#make();
    await this.#scheduling.start(signal);
  }

  async stop(): Promise<void> {
    await this.#scheduling?.stop();
  }
}
