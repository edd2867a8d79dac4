import {
  controller,
  ifFound,
  inject,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {CacheInformer, done, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {PersistentVolumeClaim, Pod, Volume} from '../../../sdk/types/unchecked/core/v1.js';
import {KeyLoop} from '../../families/queues/key-loop.js';

const podType = namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod');
const claimType = namespaced<PersistentVolumeClaim & ApiObject>('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim');

/** Makes the claims of ephemeral volumes, which go with their pod. */
@controller()
export class EphemeralVolumes implements Controller {
  readonly #resources: ResourceClient;
  readonly #loop: KeyLoop;
  readonly #pods: CacheInformer<Pod & ApiObject>;
  readonly #claims: CacheInformer<PersistentVolumeClaim & ApiObject>;
  /** Keys of the pods to which claims belong, by the keys of the claims. */
  readonly #podsOfClaims = new Map<string, string>();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency: config['concurrency'] as number},
      {
        component: 'ephemeral_volume',
        queue: 'ephemeral_volume',
        failure: 'the claims of a pod could not be made',
        reconcile: (key) => this.#reconcile(key),
      },
    );
    const {failed} = this.#loop;
    this.#pods = new CacheInformer(cache, podType, {
      changed: (key) => void this.#podChanged(key).catch((error: unknown) => failed(key, error)),
      failed,
    });
    this.#claims = new CacheInformer(cache, claimType, {
      changed: (key) => this.#claimChanged(key),
      deleted: (key) => this.#claimGone(key),
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#loop.start(signal, this.#pods, this.#claims);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #podChanged(key: string): Promise<void> {
    const found = this.#pod(key);
    const pod = found instanceof Promise ? await found : found;
    if (pod && needsClaims(pod)) this.#loop.add(key);
  }

  #pod(key: string): Pod | undefined | Promise<Pod> {
    const [namespace, name] = splitObjectKey(key);
    return this.#pods.get(name, namespace) as Pod | undefined | Promise<Pod>;
  }

  #claimChanged(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    const owners = this.#claims.metadataView(name, namespace)?.metadata().ownerReferences;
    const pod = owners?.find((owner) => owner.kind === 'Pod' && owner.controller);
    if (pod) this.#podsOfClaims.set(key, `${namespace}/${pod.name}`);
    else this.#podsOfClaims.delete(key);
  }

  /** A claim that is deleted while its pod is there is made again. */
  #claimGone(key: string): void {
    const pod = this.#podsOfClaims.get(key);
    this.#podsOfClaims.delete(key);
    if (pod !== undefined) this.#loop.add(pod);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const pod = await this.#pod(key);
    if (!pod || !needsClaims(pod)) return done;
    for (const volume of pod.spec!.volumes!) {
      try {
        await this.#ensure(pod, volume);
      } catch (error) {
        const note = `ephemeral volume ${volume.name}: ${(error as Error).message}`;
        this.#loop.events.record({apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata}, {type: 'Warning', reason: 'FailedBinding', note});
        throw new Error(`pod ${key}, ${note}`, {cause: error});
      }
    }
    return done;
  }

  /** @throws Error in the words of Kubernetes */
  async #ensure({metadata}: Pod, {name: volumeName, ephemeral}: Volume): Promise<void> {
    if (!ephemeral) return;
    const {namespace = '', name: podName = '', uid = ''} = metadata;
    const name = `${podName}-${volumeName}`;
    const found = await ifFound(this.#resources.get(claimType, namespace, name));
    if (found) {
      const isOwner = found.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid);
      if (!isOwner) throw new Error(`PVC ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`);
      return;
    }
    const {metadata: template, spec} = ephemeral.volumeClaimTemplate ?? {};
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name,
        namespace,
        ...(template?.labels ? {labels: {...template.labels}} : {}),
        ...(template?.annotations ? {annotations: {...template.annotations}} : {}),
        ownerReferences: [{apiVersion: 'v1', kind: 'Pod', name: podName, uid, controller: true, blockOwnerDeletion: true}],
      },
      spec: structuredClone(spec ?? {}),
    };
    try {
      await this.#resources.create(claimType, namespace, claim as ApiObject);
    } catch (error) {
      throw new Error(`create PVC ${name}: ${(error as Error).message}`, {cause: error});
    }
  }
}

/** Whether a pod has ephemeral volumes, and stays. */
function needsClaims({metadata, spec}: Pod): boolean {
  return !metadata.deletionTimestamp && (spec?.volumes?.some(({ephemeral}) => ephemeral) ?? false);
}
