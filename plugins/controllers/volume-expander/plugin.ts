import {
  compareQuantities,
  controller,
  ifFound,
  inject,
  isConflict,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {done, EventRecorder, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import {simulatedDriverSuffix} from '../../families/volume-binding/binding-keys.js';

const claims: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumeclaims'};
const volumes: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumes'};

/** Expands simulated volumes of claims that ask for more, and says of others that somebody else is to do so. */
@controller()
export class VolumeExpander extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #events: EventRecorder;
  readonly #showsAllocated: boolean;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    super({
      resources,
      cache,
      naming,
      logger,
      concurrency: 10,
      figures: {metrics, name: 'volume_expand'},
      types: [
        {ref: claims, changed: (claim) => (asksForMore(claim as PersistentVolumeClaim) ? [objectKey(claim)] : []), deleted: () => []},
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#showsAllocated = gates.enabled('RecoverVolumeExpansionFailure');
    this.#events = new EventRecorder({resources, logger, controller: 'volume_expand', form: 'core'});
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#events.close();
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const claim = (await ifFound(this.#resources.get(claims, namespace, name))) as PersistentVolumeClaim | undefined;
    if (!claim || !asksForMore(claim)) return done;
    const volume = (await ifFound(this.#resources.get(volumes, '', claim.spec?.volumeName ?? ''))) as PersistentVolume | undefined;
    if (!volume || volume.spec?.claimRef?.uid !== claim.metadata.uid) return done;
    const say = (reason: string, note: string) =>
      this.#events.record({apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claim.metadata}, {type: 'Normal', reason, note});
    if (!volume.spec?.csi?.driver?.endsWith(simulatedDriverSuffix)) {
      say('ExternalExpanding', 'waiting for an external controller to expand this PVC');
      return done;
    }
    try {
      await this.#expand(claim, volume);
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      throw error;
    }
    say('VolumeResizeSuccessful', `ExpandVolume succeeded for volume ${key}`);
    return done;
  }

  async #expand(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const storage = claim.spec!.resources!.requests!['storage']!;
    const {namespace = ''} = claim.metadata;
    if (compareQuantities(volume.spec?.capacity?.['storage'] ?? '0', storage) < 0) {
      const capacity = {...volume.spec?.capacity, storage};
      await this.#resources.update(volumes, '', {...volume, spec: {...volume.spec, capacity}} as ApiObject);
    }
    const status = {
      ...claim.status,
      capacity: {...claim.status?.capacity, storage},
      ...(this.#showsAllocated ? {allocatedResources: {...claim.status?.allocatedResources, storage}} : {}),
    };
    await this.#resources.update(claims, namespace, {...claim, status} as ApiObject, 'status');
  }
}

/** Whether a claim that has a volume asks for a larger one. */
function asksForMore({spec, status}: PersistentVolumeClaim): boolean {
  const wanted = spec?.resources?.requests?.['storage'];
  const has = status?.capacity?.['storage'];
  return status?.phase === 'Bound' && wanted !== undefined && has !== undefined && compareQuantities(wanted, has) > 0;
}
