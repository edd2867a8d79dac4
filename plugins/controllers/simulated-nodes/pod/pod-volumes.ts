import type {ApiObject, Logger, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import type {PersistentVolume, PersistentVolumeClaim, Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import type {CSIDriver as CsiDriver} from '../../../../sdk/types/unchecked/storage/v1.js';
import {claimType, driverType, uniqueVolumeName, volumeType} from '../../../families/volume-binding/attached-volumes.js';
import {mountedVolumes} from './mounted-volumes.js';
import type {MountFault} from './pod-sources.js';
import {WaitingPods} from './waiting-pods.js';
import type {SimulatedNode} from '../node/simulated-node.js';

/** What a pod lacks of its volumes. */
export interface Lack {
  /** Whether nothing of it can begin yet. */
  readonly waits: boolean;
  /** What is wrong with its claims; a volume that is only not attached yet is no fault. */
  readonly faults: readonly MountFault[];
}

const nothing: Lack = {waits: false, faults: []};

/** Which pods lack volumes: a claim has to be bound, and its volume attached to the node if its driver attaches any. What that depends on is followed from the first pod with a claim on. */
export class PodVolumes {
  readonly #claims: CacheInformer<PersistentVolumeClaim & ApiObject>;
  readonly #volumes: CacheInformer<PersistentVolume & ApiObject>;
  readonly #drivers: CacheInformer<CsiDriver & ApiObject>;
  readonly #csiPlugin: string;
  /** By the keys of claims. */
  readonly #waiting = new WaitingPods();
  #signal: AbortSignal | undefined;
  #known: Promise<void> | undefined;
  #isKnown = false;

  /**
   * @param csiPlugin with which the names of volumes begin in the statuses of nodes
   * @param changed called with the key of a pod that may lack nothing any more
   */
  constructor(cache: ObjectCache, csiPlugin: string, changed: (key: string) => void, logger: Logger) {
    this.#csiPlugin = csiPlugin;
    const failed = (key: string, err: unknown) => logger.warn({key, err}, 'what belongs to a volume cannot be read');
    const claimChanged = (key: string) => {
      for (const pod of this.#waiting.of(key)) changed(pod);
    };
    this.#claims = new CacheInformer(cache, claimType, {changed: claimChanged, failed});
    this.#volumes = new CacheInformer(cache, volumeType, {
      changed: (key) => {
        const {namespace = '', name = ''} = this.#volumes.getNow(splitObjectKey(key)[1])?.spec?.claimRef ?? {};
        claimChanged(`${namespace}/${name}`);
      },
      failed,
    });
    this.#drivers = new CacheInformer(cache, driverType, {
      changed: () => {
        for (const pod of this.#waiting.keys) changed(pod);
      },
      failed,
    });
  }

  /** Nothing is followed after the signal. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
  }

  /** Resolves when the claims of a pod are known; undefined if they are, or if it has none. */
  known(pod: Pod): Promise<void> | undefined {
    const signal = this.#signal;
    if (this.#isKnown || !signal || claimsOf(pod).length === 0) return undefined;
    this.#known ??= Promise.all([this.#claims, this.#volumes, this.#drivers].map((informer) => informer.start(signal))).then(() => {
      this.#isKnown = true;
    });
    return this.#known;
  }

  /** What a pod that has not begun lacks of its volumes on its node. It is looked at again when that may have changed. Not before it is known. */
  of(key: string, pod: Pod, node: SimulatedNode, hasBegun: boolean): Lack {
    const claims = hasBegun ? [] : claimsOf(pod);
    const namespace = pod.metadata.namespace ?? '';
    const states = claims.map(({volume, claim}) => ({volume, state: this.#stateOf(namespace, claim, node)}));
    const waits = states.some(({state}) => state !== undefined);
    this.#waiting.set(key, waits ? claims.map(({claim}) => `${namespace}/${claim}`) : []);
    if (!waits) return nothing;
    return {
      waits,
      faults: states.flatMap(({volume, state}) => (typeof state === 'string' ? [{volume, text: state}] : [])),
    };
  }

  /** A pod waits no more, or is gone. */
  forget(key: string): void {
    this.#waiting.set(key, []);
  }

  /** What is wrong with a claim, in the kubelet's words; `true` if its volume is not attached yet, undefined if it can be used. */
  #stateOf(namespace: string, name: string, node: SimulatedNode): string | true | undefined {
    const wrong = (text: string) => `error processing PVC ${namespace}/${name}: ${text}`;
    const claim = this.#claims.getNow(name, namespace);
    if (!claim) return wrong(`failed to fetch PVC from API server: persistentvolumeclaims "${name}" not found`);
    if (claim.status?.phase !== 'Bound') return wrong('PVC is not bound');
    const {volumeName = ''} = claim.spec ?? {};
    if (volumeName === '') return wrong('PVC has empty pvc.Spec.VolumeName');
    const volume = this.#volumes.getNow(volumeName);
    if (!volume) return wrong(`failed to fetch PV ${volumeName} from API server: persistentvolumes "${volumeName}" not found`);
    const driver = volume.spec?.csi?.driver;
    if (!driver) return undefined;
    const attaches = this.#drivers.getNow(driver)?.spec?.attachRequired !== false;
    return !attaches || node.attached.has(uniqueVolumeName(volume, this.#csiPlugin)) ? undefined : true;
  }
}

/** The claims that containers of a pod use, with those of its ephemeral volumes. */
function claimsOf({metadata, spec = {}}: Pod): {readonly volume: string; readonly claim: string}[] {
  return mountedVolumes(spec).flatMap(({name: volume = '', persistentVolumeClaim, ephemeral}) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name ?? ''}-${volume}` : undefined);
    return claim === undefined ? [] : [{volume, claim}];
  });
}
