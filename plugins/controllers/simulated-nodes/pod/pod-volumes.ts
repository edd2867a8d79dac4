import type {ApiObject, Logger, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import type {ContainerStatus, PersistentVolume, PersistentVolumeClaim, Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import type {CSIDriver as CsiDriver} from '../../../../sdk/types/unchecked/storage/v1.js';
import {claimsOfPod, claimType, driverType, uniqueVolumeName, volumeType} from '../../../families/volume-binding/attached-volumes.js';
import type {SimulatedNode} from '../node/simulated-node.js';

/** Which pods lack volumes: a claim has to be bound, and its volume attached to the node if its driver attaches any. What that depends on is followed from the first pod with a claim on. */
export class PodVolumes {
  readonly #claims: CacheInformer<PersistentVolumeClaim & ApiObject>;
  readonly #volumes: CacheInformer<PersistentVolume & ApiObject>;
  readonly #drivers: CacheInformer<CsiDriver & ApiObject>;
  readonly #csiPlugin: string;
  /** Keys of pods that wait, by the key of a claim. */
  readonly #byClaim = new Map<string, Set<string>>();
  /** Keys of claims, by that of the pod that waits for them. */
  readonly #waiting = new Map<string, readonly string[]>();
  #signal: AbortSignal | undefined;
  #isFollowing = false;

  /**
   * @param csiPlugin with which the names of volumes begin in the statuses of nodes
   * @param changed called with the key of a pod that may lack nothing any more
   */
  constructor(cache: ObjectCache, csiPlugin: string, changed: (key: string) => void, logger: Logger) {
    this.#csiPlugin = csiPlugin;
    const failed = (key: string, err: unknown) => logger.warn({key, err}, 'what belongs to a volume cannot be read');
    const claimChanged = (key: string) => {
      for (const pod of this.#byClaim.get(key) ?? []) changed(pod);
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
        for (const pod of this.#waiting.keys()) changed(pod);
      },
      failed,
    });
  }

  /** Nothing is followed after the signal. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
  }

  /** Whether a pod that has not begun lacks a volume on its node. It is looked at again when that may have changed. */
  lacks(key: string, pod: Pod, node: SimulatedNode): boolean {
    const claims = hasBegun(pod) ? [] : claimsOfPod(pod);
    if (claims.length > 0) this.#follow();
    const namespace = pod.metadata.namespace ?? '';
    const lacks = claims.some((claim) => !this.#isThere(namespace, claim, node));
    this.forget(key);
    if (lacks)
      this.#wait(
        key,
        claims.map((claim) => `${namespace}/${claim}`),
      );
    return lacks;
  }

  /** A pod waits no more, or is gone. */
  forget(key: string): void {
    for (const claim of this.#waiting.get(key) ?? []) {
      const pods = this.#byClaim.get(claim);
      pods?.delete(key);
      if (pods?.size === 0) this.#byClaim.delete(claim);
    }
    this.#waiting.delete(key);
  }

  #wait(key: string, claims: readonly string[]): void {
    this.#waiting.set(key, claims);
    for (const claim of claims) {
      const pods = this.#byClaim.get(claim);
      if (pods) pods.add(key);
      else this.#byClaim.set(claim, new Set([key]));
    }
  }

  #follow(): void {
    if (this.#isFollowing || !this.#signal) return;
    this.#isFollowing = true;
    for (const informer of [this.#claims, this.#volumes, this.#drivers]) void informer.start(this.#signal);
  }

  #isThere(namespace: string, name: string, {attached}: SimulatedNode): boolean {
    const claim = this.#claims.getNow(name, namespace);
    if (claim?.status?.phase !== 'Bound' || !claim.spec?.volumeName) return false;
    const volume = this.#volumes.getNow(claim.spec.volumeName);
    const driver = volume?.spec?.csi?.driver;
    if (!volume || !driver) return volume !== undefined;
    const attaches = this.#drivers.getNow(driver)?.spec?.attachRequired !== false;
    return !attaches || attached.has(uniqueVolumeName(volume, this.#csiPlugin));
  }
}

/** Whether a container of it has run: its volumes were there. */
function hasBegun({status = {}}: Pod): boolean {
  const began = ({state, lastState}: ContainerStatus) => Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(began);
}
