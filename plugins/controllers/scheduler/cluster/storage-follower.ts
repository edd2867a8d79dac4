import type {ApiObject, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import {clusterWide, namespaced} from '../../../../sdk/types/resource-handle.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {StorageClass} from '../../../../sdk/types/unchecked/storage/v1.js';
import type {StorageView} from '../model/storage-view.js';
import type {ClusterEvent} from './cluster-event.js';

const types = {
  claims: namespaced('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  volumes: clusterWide('', 'v1', 'persistentvolumes', 'PersistentVolume'),
  classes: clusterWide('storage.orch', 'v1', 'storageclasses', 'StorageClass'),
};

/** Claims, volumes and classes in the server's cache. They are read when a pod that uses some is decided about; nothing is kept of them. */
export class StorageFollower implements StorageView {
  readonly #informers: Readonly<Record<keyof typeof types, CacheInformer<ApiObject>>>;

  constructor(cache: ObjectCache, happened: (event: ClusterEvent) => void, failed: (key: string, error: unknown) => void) {
    const follow = (type: (typeof types)[keyof typeof types]): CacheInformer<ApiObject> => {
      const changed = (key: string) => {
        const [namespace, name] = splitObjectKey(key);
        happened({type: 'storage', namespace, name, isClaim: type === types.claims});
      };
      return new CacheInformer<ApiObject>(cache, type as typeof types.volumes, {changed, deleted: changed, failed});
    };
    this.#informers = {claims: follow(types.claims), volumes: follow(types.volumes), classes: follow(types.classes)};
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

  #read(type: keyof typeof types, name: string, namespace?: string): Readonly<ApiObject> | undefined {
    const found = this.#informers[type].get(name, namespace);
    // Nobody converts these types.
    return found instanceof Promise ? undefined : found;
  }
}
