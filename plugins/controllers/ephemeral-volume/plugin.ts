import {
  controller,
  ifFound,
  inject,
  Tokens,
  type ApiObject,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, EventRecorder, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Pod, Volume} from '../../../sdk/types/unchecked/core/v1.js';

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const claims: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumeclaims'};

/** Makes the claims of ephemeral volumes, which go with their pod. */
@controller()
export class EphemeralVolumes extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #events: EventRecorder;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super({
      resources,
      cache,
      naming,
      logger,
      concurrency: config['concurrency'] as number,
      figures: {metrics, name: 'ephemeral_volume'},
      types: [
        {ref: pods, changed: (pod) => (needsClaims(pod as Pod) ? [objectKey(pod)] : []), deleted: () => []},
        {
          ref: claims,
          metadataOnly: true,
          changed: () => [],
          // A claim that is deleted while its pod is there is made again.
          deleted: ({metadata}) =>
            (metadata.ownerReferences ?? [])
              .filter(({kind, controller: isController}) => kind === 'Pod' && isController)
              .map(({name}) => `${metadata.namespace}/${name}`),
        },
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#events = new EventRecorder({resources, logger, controller: 'ephemeral_volume', form: 'core'});
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#events.close();
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const pod = (await ifFound(this.#resources.get(pods, namespace, name, {resourceVersion: '0'}))) as Pod | undefined;
    if (!pod || !needsClaims(pod)) return done;
    for (const volume of pod.spec!.volumes!) {
      try {
        await this.#ensure(pod, volume);
      } catch (error) {
        const note = `ephemeral volume ${volume.name}: ${(error as Error).message}`;
        this.#events.record({apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata}, {type: 'Warning', reason: 'FailedBinding', note});
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
    const found = await ifFound(this.#resources.get(claims, namespace, name));
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
      await this.#resources.create(claims, namespace, claim as ApiObject);
    } catch (error) {
      throw new Error(`create PVC ${name}: ${(error as Error).message}`, {cause: error});
    }
  }
}

/** Whether a pod has ephemeral volumes, and stays. */
function needsClaims({metadata, spec}: Pod): boolean {
  return !metadata.deletionTimestamp && (spec?.volumes?.some(({ephemeral}) => ephemeral) ?? false);
}
