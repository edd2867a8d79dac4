import {
  controller,
  inject,
  Tokens,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ServedApis,
} from '../../../sdk/index.js';
import {CacheInformer, done, DueTimes, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {KeyLoop} from '../../families/queues/key-loop.js';
import {autoscalerType, type Autoscaler} from './autoscaler-object.js';
import {AutoscalerRound, type RoundParts} from './autoscaler-round.js';
import {MetricsClient} from './metrics-client.js';
import {ReplicaCalculator} from './replica-calculator.js';
import {ScaleTargets} from './scale-target.js';
import {newHistory, type AutoscalerHistory} from './scaling-history.js';
import {SelectorBook} from './selector-book.js';

interface Settings {
  readonly concurrency: number;
  readonly syncMilliseconds: number;
  readonly downscaleStabilizationMilliseconds: number;
  readonly cpuInitializationMilliseconds: number;
  readonly initialReadinessDelayMilliseconds: number;
  readonly tolerance: number;
}

/**
 * Scales workloads by their HorizontalPodAutoscalers: looks at each every 15 seconds, and as in Kubernetes not before that after it has come. What it has recommended and done is in memory, as
 * there; after a change of the leader stabilization windows and rates begin anew.
 */
@controller()
export class HorizontalPodAutoscalerController implements Controller {
  readonly #settings: Settings;
  readonly #loop: KeyLoop;
  readonly #autoscalers: CacheInformer<Autoscaler>;
  readonly #due: DueTimes;
  /** Autoscalers that wait for their time. */
  readonly #waiting = new Set<string>();
  readonly #histories = new Map<string, {readonly uid: string; readonly history: AutoscalerHistory}>();
  readonly #selectors: SelectorBook;
  readonly #partsFor: (signal: AbortSignal) => RoundParts;
  #parts: RoundParts | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.ServedApis) apis: ServedApis,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    const settings = config as unknown as Settings;
    this.#settings = settings;
    this.#selectors = new SelectorBook(resources);
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency: settings.concurrency},
      {
        component: 'horizontal-pod-autoscaler',
        queue: 'horizontalpodautoscaler',
        failure: 'an autoscaler could not be looked at',
        reconcile: (key) => this.#look(key),
      },
    );
    const {clock, add, events, failed} = this.#loop;
    this.#due = new DueTimes(add, clock);
    this.#autoscalers = new CacheInformer(cache, autoscalerType, {
      changed: (key) => this.#later(key),
      deleted: (key) => this.#forget(key),
      failed,
    });
    const targets = new ScaleTargets(resources, naming);
    this.#partsFor = (signal) => ({
      resources,
      clock,
      events,
      targets,
      selectors: this.#selectors,
      calculator: new ReplicaCalculator({
        resources,
        metrics: new MetricsClient({apis, naming, resourceOf: (group, kind) => resourceOf(targets, group, kind), signal}),
        times: {
          cpuInitializationMillis: settings.cpuInitializationMilliseconds,
          initialReadinessDelayMillis: settings.initialReadinessDelayMilliseconds,
        },
        hasPodLevelResources: gates.enabled('PodLevelResources'),
        now: () => clock.now(),
      }),
      settings: {
        downscaleStabilizationMillis: settings.downscaleStabilizationMilliseconds,
        tolerance: settings.tolerance,
        hasOwnTolerance: gates.enabled('HPAConfigurableTolerance'),
        canScaleToZero: gates.enabled('HPAScaleToZero'),
      },
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#parts = this.#partsFor(signal);
    return this.#loop.start(signal, this.#autoscalers);
  }

  async stop(): Promise<void> {
    this.#due.clear();
    await this.#loop.stop();
  }

  #later(key: string): void {
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    this.#due.set(key, this.#loop.clock.now() + this.#settings.syncMilliseconds);
  }

  #forget(key: string): void {
    this.#waiting.delete(key);
    this.#due.set(key, undefined);
    this.#histories.delete(key);
    this.#selectors.forget(key);
  }

  async #look(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const object = await this.#autoscalers.get(name, namespace);
    if (!object || !this.#parts) return done;
    await new AutoscalerRound(this.#parts, key, object, this.#historyOf(key, object.metadata.uid ?? '')).run();
    this.#waiting.delete(key);
    if (this.#autoscalers.metadataView(name, namespace)) this.#later(key);
    return done;
  }

  /** Another autoscaler of the same name begins anew. */
  #historyOf(key: string, uid: string): AutoscalerHistory {
    const known = this.#histories.get(key);
    if (known?.uid === uid) return known.history;
    const history = newHistory();
    this.#histories.set(key, {uid, history});
    return history;
  }
}

/** `deployments.apps`; `pods` in the core group. */
function resourceOf(targets: ScaleTargets, group: string, kind: string): string | undefined {
  const [type] = targets.typesOf(group, kind);
  return type && (type.group === '' ? type.resource : `${type.resource}.${type.group}`);
}
