import type {ApiObject, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import {clusterWide, namespaced} from '../../../../sdk/types/resource-handle.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {CSIDriver, CSINode, StorageClass, VolumeAttachment} from '../../../../sdk/types/unchecked/storage/v1.js';
import type {StorageView} from '../model/storage-view.js';
import {claimKey, type VolumeChoice} from '../model/volume-choice.js';
import type {ClusterEvent} from './cluster-event.js';

const types = {
  claims: namespaced('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  volumes: clusterWide('', 'v1', 'persistentvolumes', 'PersistentVolume'),
  classes: clusterWide('storage.orch', 'v1', 'storageclasses', 'StorageClass'),
  drivers: clusterWide('storage.orch', 'v1', 'csidrivers', 'CSIDriver'),
  csiNodes: clusterWide('storage.orch', 'v1', 'csinodes', 'CSINode'),
  attachments: clusterWide('storage.orch', 'v1', 'volumeattachments', 'VolumeAttachment'),
};

/** Claims, volumes, classes and drivers in the server's cache. They are read when a pod that uses some is decided about; of the free volumes the names are kept, and what has been decided and is not written yet. */
export class StorageFollower implements StorageView {
  readonly #informers: Readonly<Record<keyof typeof types, CacheInformer<ApiObject>>>;
  readonly #free = new Set<string>();
  readonly #reservedFor = new Map<string, string>();
  readonly #reservedNodes = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(cache: ObjectCache, happened: (event: ClusterEvent) => void, failed: (key: string, error: unknown) => void) {
    const follow = (type: (typeof types)[keyof typeof types]): CacheInformer<ApiObject> => {
      const changed = (key: string) => {
        const [namespace, name] = splitObjectKey(key);
        if (type === types.volumes) this.#noteVolume(name);
        for (const listener of [...this.#listeners]) listener();
        happened({type: 'storage', namespace, name, isClaim: type === types.claims});
      };
      const byNode = {node: (object: ApiObject) => [(object as VolumeAttachment).spec?.nodeName ?? '']};
      const indexes = type === types.attachments ? {indexes: byNode} : {};
      return new CacheInformer<ApiObject>(cache, type as typeof types.volumes, {...indexes, changed, deleted: changed, failed});
    };
    this.#informers = {
      claims: follow(types.claims),
      volumes: follow(types.volumes),
      classes: follow(types.classes),
      drivers: follow(types.drivers),
      csiNodes: follow(types.csiNodes),
      attachments: follow(types.attachments),
    };
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(Object.values(this.#informers).map((informer) => informer.start(signal)));
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#read('claims', name, namespace) as PersistentVolumeClaim | undefined;
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#read('volumes', name) as PersistentVolume | undefined;
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#read('classes', name) as StorageClass | undefined;
  }

  driver(name: string): CSIDriver | undefined {
    return this.#read('drivers', name) as CSIDriver | undefined;
  }

  csiNode(node: string): CSINode | undefined {
    return this.#read('csiNodes', node) as CSINode | undefined;
  }

  attachments(node: string): VolumeAttachment[] {
    return this.#informers.attachments.by('node', node).flatMap((key) => {
      const found = this.#read('attachments', splitObjectKey(key)[1]) as VolumeAttachment | undefined;
      return found ?? [];
    });
  }

  *freeVolumes(): Iterable<PersistentVolume> {
    for (const name of this.#free) {
      const volume = this.volume(name);
      if (volume) yield volume;
    }
  }

  reservedFor(volume: string): string | undefined {
    return this.#reservedFor.get(volume);
  }

  reservedNode(claim: string): string | undefined {
    return this.#reservedNodes.get(claim);
  }

  /** What was chosen counts from now on, before it is written. @returns takes that back */
  reserve({bindings, provisions}: VolumeChoice, node: string): () => void {
    const volumes = bindings.map(({claim, volume}) => [volume.metadata.name!, claimKey(claim)] as const);
    for (const [name, key] of volumes) this.#reservedFor.set(name, key);
    const claims = provisions.map(claimKey);
    for (const key of claims) this.#reservedNodes.set(key, node);
    return () => {
      for (const [name, key] of volumes) if (this.#reservedFor.get(name) === key) this.#reservedFor.delete(name);
      for (const key of claims) if (this.#reservedNodes.get(key) === node) this.#reservedNodes.delete(key);
    };
  }

  /** Calls after each change. @returns ends that */
  onChange(call: () => void): () => void {
    this.#listeners.add(call);
    return () => void this.#listeners.delete(call);
  }

  #noteVolume(name: string): void {
    const volume = this.volume(name);
    if (volume && !volume.spec?.claimRef?.uid) this.#free.add(name);
    else this.#free.delete(name);
  }

  #read(type: keyof typeof types, name: string, namespace?: string): Readonly<ApiObject> | undefined {
    return this.#informers[type].getNow(name, namespace);
  }
}
