import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import type {ResourceHandle} from '../../../sdk/types/resource-handle.js';
import type {Dependent} from './claim-dependents.js';
import {controllerOf} from './controller-reference.js';

export interface OwnedObjectsOptions<T extends ApiObject> {
  readonly cache: ObjectCache;
  readonly type: ResourceHandle<T>;
  /** Kind of the controlling objects. */
  readonly ownerKind: string;
  /** An object of an owner has changed, or is one no longer. */
  readonly changed: (owner: {readonly namespace: string; readonly controller: {readonly name: string; readonly uid: string}}) => void;
  /** An object that nobody controls has come or changed. */
  readonly orphaned?: (namespace: string, labels: Readonly<Record<string, string>>) => void;
  readonly failed: (key: string, error: unknown) => void;
}

/** Objects in the server's cache by the uid of what controls them; those that nobody controls by namespace. Nothing but references is kept. */
export class OwnedObjects<T extends ApiObject> {
  /** What controls an object, by the key of the object. */
  readonly #owners = new Map<string, {readonly name: string; readonly uid: string}>();
  readonly #informer: CacheInformer<T>;
  readonly #options: OwnedObjectsOptions<T>;

  constructor(options: OwnedObjectsOptions<T>) {
    this.#options = options;
    this.#informer = new CacheInformer(options.cache, options.type, {
      metadataIndexes: {owner: (metadata) => [controllerOf({metadata})?.uid ?? `${metadata.namespace}/`]},
      changed: (key) => this.#changed(key),
      deleted: (key) => this.#setOwner(key, undefined),
      failed: options.failed,
    });
  }

  /** Follows the objects until the signal fires. Resolves when all that exist are known. */
  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  /** The name of what controls an object, if it is of the kind of the owners. */
  ownerOf(key: string): string | undefined {
    return this.#owners.get(key)?.name;
  }

  /** The objects that an owner controls, and those that it could adopt. */
  candidates(namespace: string, uid: string): Dependent[] {
    return [...this.controlledBy(namespace, uid), ...this.#group(namespace, `${namespace}/`)];
  }

  /** The objects that an owner controls. */
  controlledBy(namespace: string, uid: string): Dependent[] {
    return this.#group(namespace, uid);
  }

  /** The whole objects, which must not be changed; without those that have gone meanwhile. */
  async read(dependents: readonly Dependent[]): Promise<Readonly<T>[]> {
    const found: Readonly<T>[] = [];
    for (const {name, namespace} of dependents) {
      const object = await this.#informer.get(name, namespace);
      if (object) found.push(object);
    }
    return found;
  }

  #group(namespace: string, group: string): Dependent[] {
    return this.#informer.by('owner', group).flatMap((key) => {
      const metadata = this.#informer.metadataView(splitObjectKey(key)[1], namespace)?.metadata();
      if (!metadata) return [];
      return [
        {
          namespace,
          name: metadata.name!,
          uid: metadata.uid!,
          labels: metadata.labels ?? {},
          controller: controllerOf({metadata}),
          isDeleted: Boolean(metadata.deletionTimestamp),
        },
      ];
    });
  }

  #changed(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    const metadata = this.#informer.metadataView(name, namespace)?.metadata();
    const controller = metadata && controllerOf({metadata});
    this.#setOwner(key, controller?.kind === this.#options.ownerKind ? {name: controller.name, uid: controller.uid} : undefined);
    if (metadata && !controller) this.#options.orphaned?.(namespace, metadata.labels ?? {});
  }

  #setOwner(key: string, owner: {name: string; uid: string} | undefined): void {
    const {changed} = this.#options;
    const [namespace] = splitObjectKey(key);
    const before = this.#owners.get(key);
    if (owner === undefined) this.#owners.delete(key);
    else this.#owners.set(key, owner);
    if (before !== undefined && before.uid !== owner?.uid) changed({namespace, controller: before});
    if (owner !== undefined) changed({namespace, controller: owner});
  }
}
