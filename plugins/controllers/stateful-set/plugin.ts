import {
  controller,
  inject,
  Tokens,
  type ApiObject,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';
import {podIdentity, pods, setFeatures, setKind, statefulSets} from './set-object.js';
import {SetReconciler} from './set-reconciler.js';

const none: ReadonlySet<string> = new Set();

/**
 * Makes the pods of StatefulSets, and the claims that these use, as objects: who runs the pods is not its concern. Several servers on one store may do so
 * at the same time: names are given by set and number, pods are deleted by their uid, and everything else fails when it has changed meanwhile.
 */
@controller()
export class StatefulSetController implements Controller {
  readonly #reconciler: Reconciler;
  readonly #sets: SetReconciler;
  /** Names of the pods that each set controls, for every set that there is. */
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
    this.#sets = new SetReconciler(resources, naming, setFeatures(gates));
    this.#reconciler = new Reconciler({
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
  }

  start(signal: AbortSignal): Promise<void> {
    this.#reconciler.start(signal);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#reconciler.stop();
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

  /** Pods are followed once all sets are known, and only if there are any: a server without sets does not pay for it. */
  #followPods(): void {
    if (this.#podNames.size === 0) return;
    this.#reconciler.follow({
      ref: pods,
      changed: (pod) => this.#podChanged(pod, controllerOf(pod)?.kind === setKind),
      deleted: (pod) => this.#podChanged(pod, false),
      listed: () => this.#podNames.keys(),
    });
  }

  /** The name of a pod says which set is concerned, also when it has lost its owner. */
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
