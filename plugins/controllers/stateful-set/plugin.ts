import {
  controller,
  inject,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {EventRecorder, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';
import {podIdentity, pods, setFeatures, setKind, statefulSets} from './set-object.js';
import {SetReconciler} from './set-reconciler.js';

const none: ReadonlySet<string> = new Set();

/**
 * Creates the pods of StatefulSets and their claims as objects; it does not run them. Safe on several servers of one store: names are
 * determined by set and ordinal, pods are deleted by uid, and all other writes fail if the object has changed.
 */
@controller()
export class StatefulSetController extends Reconciler {
  readonly #sets: SetReconciler;
  readonly #events: EventRecorder;
  /** Names of the pods that each existing set controls. */
  readonly #podNames = new Map<string, Set<string>>();
  #isListed = false;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: config['concurrency'] as number,
      figures: {metrics, name: 'statefulset'},
      types: [
        {
          ref: statefulSets,
          startFromCache: true,
          listed: () => this.#setsListed(),
          changed: (set) => this.#setChanged(set),
          deleted: (set) => this.#setGone(set),
        },
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#events = new EventRecorder({resources, logger, controller: 'statefulset-controller', form: 'core'});
    this.#sets = new SetReconciler({resources, naming, features: setFeatures(gates), events: this.#events});
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#events.close();
  }

  #setsListed(): string[] {
    this.#isListed = true;
    this.#followPods();
    return [];
  }

  #setChanged(set: ApiObject): string[] {
    const key = objectKey(set);
    if (!this.#podNames.has(key)) this.#podNames.set(key, new Set());
    if (this.#isListed) this.#followPods();
    return [key];
  }

  #setGone(set: ApiObject): string[] {
    this.#podNames.delete(objectKey(set));
    return [];
  }

  /** Pods are watched only after all sets are known, and only if there are any, so that servers without sets do not pay for it. */
  #followPods(): void {
    if (this.#podNames.size === 0) return;
    this.follow({
      ref: pods,
      changed: (pod) => this.#podChanged(pod, controllerOf(pod)?.kind === setKind),
      deleted: (pod) => this.#podChanged(pod, false),
      listed: () => this.#podNames.keys(),
    });
  }

  /** The set of a pod by its name, even if the pod has lost its owner. */
  #podChanged({metadata}: ApiObject, isControlled: boolean): string[] {
    const identity = podIdentity(metadata.name!);
    if (identity === undefined) return [];
    const key = `${metadata.namespace}/${identity.set}`;
    const names = this.#podNames.get(key);
    if (names === undefined) return [];
    if (isControlled) names.add(metadata.name!);
    else names.delete(metadata.name!);
    return [key];
  }

  #reconcile(key: string): Promise<WorkResult> {
    return this.#sets.reconcile(...splitObjectKey(key), this.#podNames.get(key) ?? none);
  }
}
