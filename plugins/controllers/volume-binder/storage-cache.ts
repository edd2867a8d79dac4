import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {clusterWide, namespaced} from '../../../sdk/types/resource-handle.js';
import type {Node, PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {StorageClass} from '../../../sdk/types/unchecked/storage/v1.js';
import {claimKeyOf} from '../../families/volume-binding/binding-state.js';

export const claimType = namespaced<PersistentVolumeClaim & ApiObject>('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim');
export const volumeType = clusterWide<PersistentVolume & ApiObject>('', 'v1', 'persistentvolumes', 'PersistentVolume');
const classType = clusterWide<StorageClass & ApiObject>('storage.orch', 'v1', 'storageclasses', 'StorageClass');
const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');

export interface StorageCacheOptions {
  readonly cache: ObjectCache;
  /** Keys of claims and names of volumes that have changed, are gone, or are concerned by what has. */
  readonly claimChanged: (key: string) => void;
  readonly volumeChanged: (name: string) => void;
  /** There is something new that claims may have waited for: a free volume, a class. */
  readonly offered: () => void;
  readonly failed: (key: string, error: unknown) => void;
}

/** Claims, volumes, classes and nodes in the server's cache. Of claims and volumes no more is kept than what is bound to what, and the volumes that are free. */
export class StorageCache {
  readonly #claims: CacheInformer<PersistentVolumeClaim & ApiObject>;
  readonly #volumes: CacheInformer<PersistentVolume & ApiObject>;
  readonly #classes: CacheInformer<StorageClass & ApiObject>;
  readonly #nodes: CacheInformer<Node & ApiObject>;
  /** Volumes that are bound to no claim, by name. */
  readonly #free = new Map<string, PersistentVolume>();
  /** Names of volumes by the key of the claim that names them, and keys of claims by the name of the volume that refers to them. */
  readonly #volumeOf = new Map<string, string>();
  readonly #claimOf = new Map<string, string>();
  /** Names of volumes that refer to a claim, by its key. */
  readonly #boundTo = new Map<string, string>();
  /** Volumes that are bound and are not shown as such yet: their versions before. */
  readonly #taken = new Map<string, string>();
  readonly #options: StorageCacheOptions;

  constructor(options: StorageCacheOptions) {
    const {cache, failed, claimChanged, volumeChanged, offered} = options;
    this.#options = options;
    const report = (work: (key: string) => Promise<void>) => (key: string) => void work(key).catch((error: unknown) => failed(key, error));
    this.#claims = new CacheInformer(cache, claimType, {
      changed: report((key) => this.#claimChanged(key)),
      deleted: (key) => {
        const volume = this.#volumeOf.get(key);
        this.#volumeOf.delete(key);
        claimChanged(key);
        if (volume !== undefined) volumeChanged(volume);
      },
      failed,
    });
    this.#volumes = new CacheInformer(cache, volumeType, {
      changed: report((key) => this.#volumeChanged(splitObjectKey(key)[1])),
      deleted: (key) => {
        const [, name] = splitObjectKey(key);
        const claim = this.#claimOf.get(name);
        this.#refer(name, undefined);
        this.#free.delete(name);
        this.#taken.delete(name);
        if (claim !== undefined) claimChanged(claim);
      },
      failed,
    });
    this.#classes = new CacheInformer(cache, classType, {changed: offered, failed});
    this.#nodes = new CacheInformer(cache, nodeType, {failed});
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#claims, this.#volumes, this.#classes, this.#nodes].map((informer) => informer.start(signal)));
  }

  async claim(key: string): Promise<PersistentVolumeClaim | undefined> {
    const [namespace, name] = splitObjectKey(key);
    return this.#claims.get(name, namespace) as PersistentVolumeClaim | undefined | Promise<PersistentVolumeClaim>;
  }

  async volume(name: string): Promise<PersistentVolume | undefined> {
    return this.#volumes.get(name) as PersistentVolume | undefined | Promise<PersistentVolume>;
  }

  async storageClass(name: string): Promise<StorageClass | undefined> {
    return this.#classes.get(name) as StorageClass | undefined | Promise<StorageClass>;
  }

  /** All classes. */
  async classes(): Promise<StorageClass[]> {
    const found = await Promise.all([...this.#classes.list()].map(({name}) => this.storageClass(name)));
    return found.filter((each) => each !== undefined);
  }

  async node(name: string): Promise<Node | undefined> {
    return this.#nodes.get(name) as Node | undefined | Promise<Node>;
  }

  /** Volumes that are bound to no claim. */
  *free(): Iterable<PersistentVolume> {
    for (const [name, volume] of this.#free) if (!this.#taken.has(name)) yield volume;
  }

  /** The volume that was bound to a claim which does not say so yet. */
  *boundTo({metadata}: PersistentVolumeClaim): Iterable<PersistentVolume> {
    const name = this.#boundTo.get(`${metadata.namespace}/${metadata.name}`);
    const volume = name === undefined ? undefined : this.#volumes.get(name);
    if (volume && !(volume instanceof Promise)) yield volume as PersistentVolume;
  }

  /** A volume is being bound. @returns takes that back */
  take({metadata}: PersistentVolume): () => void {
    const {name = '', resourceVersion = ''} = metadata;
    this.#taken.set(name, resourceVersion);
    return () => void this.#taken.delete(name);
  }

  async #claimChanged(key: string): Promise<void> {
    const claim = await this.claim(key);
    const volumeName = claim?.spec?.volumeName;
    if (volumeName) this.#volumeOf.set(key, volumeName);
    this.#options.claimChanged(key);
  }

  async #volumeChanged(name: string): Promise<void> {
    const volume = await this.volume(name);
    if (!volume) return;
    const claim = claimKeyOf(volume);
    if (this.#taken.get(name) !== volume.metadata.resourceVersion) this.#taken.delete(name);
    this.#refer(name, claim);
    if (volume.spec?.claimRef?.uid) {
      this.#free.delete(name);
    } else {
      const wasAvailable = this.#free.get(name)?.status?.phase === 'Available';
      this.#free.set(name, volume);
      if (!wasAvailable && volume.status?.phase === 'Available') this.#options.offered();
    }
    this.#options.volumeChanged(name);
  }

  /** A volume refers to a claim, or to none. */
  #refer(name: string, claim: string | undefined): void {
    const before = this.#claimOf.get(name);
    if (before !== undefined && this.#boundTo.get(before) === name) this.#boundTo.delete(before);
    if (claim === undefined) {
      this.#claimOf.delete(name);
      return;
    }
    this.#claimOf.set(name, claim);
    this.#boundTo.set(claim, name);
  }
}
