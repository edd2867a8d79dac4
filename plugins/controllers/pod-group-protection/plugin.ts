import {
  controller,
  ifFound,
  inject,
  isConflict,
  isNotFound,
  pagesOf,
  Tokens,
  type ApiObject,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {changedFinalizers, done, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {GroupPods, pods, uses} from './group-pods.js';

const podGroups: ResourceRef = {group: 'scheduling.orch', version: 'v1alpha2', resource: 'podgroups'};

/** Takes the finalizer that admission has added from groups that are being deleted and have no pods but those that have finished. */
@controller()
export class PodGroupProtection extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #finalizer: string;
  readonly #pods: GroupPods;
  /** Groups that are being deleted and have pods. */
  readonly #waiting = new Set<string>();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    const isWaiting = (group: string) => this.#waiting.has(group);
    super({
      resources,
      naming,
      logger,
      cache,
      concurrency: 1,
      figures: {metrics, name: 'podgroupprotection'},
      types: [
        {
          ref: pods,
          changed: (pod) => this.#pods.changed(pod).filter(isWaiting),
          deleted: (pod) => this.#pods.gone(pod).filter(isWaiting),
          listed: () => [...this.#waiting],
        },
        {
          ref: podGroups,
          changed: (group) => (this.#isHeld(group) ? [objectKey(group)] : []),
          deleted: (group) => {
            this.#waiting.delete(objectKey(group));
            return [];
          },
        },
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#pods = new GroupPods(cache);
    this.#finalizer = `${naming.group(podGroups.group)}/podgroup-protection`;
  }

  #isHeld({metadata}: ApiObject): boolean {
    return Boolean(metadata.deletionTimestamp) && (metadata.finalizers ?? []).includes(this.#finalizer);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const group = await ifFound(this.#resources.get(podGroups, namespace, name));
    const finalizers = group && this.#isHeld(group) ? changedFinalizers(group, this.#finalizer, false) : undefined;
    if (!group || !finalizers) {
      this.#waiting.delete(key);
      return done;
    }
    // Before it is looked, so that a pod that ends meanwhile is not missed.
    this.#waiting.add(key);
    // The cache may be behind: only the store knows that there is none.
    if ((await this.#pods.has(key)) || (await this.#isUsed(namespace, key))) return done;
    try {
      await this.#resources.update(podGroups, namespace, {...group, metadata: {...group.metadata, finalizers}});
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      if (!isNotFound(error)) throw error;
    }
    return done;
  }

  async #isUsed(namespace: string, key: string): Promise<boolean> {
    for await (const {items} of pagesOf(this.#resources, pods, namespace)) if (items.some((pod) => uses(pod, key))) return true;
    return false;
  }
}
