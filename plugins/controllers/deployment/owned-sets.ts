import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import type {Dependent} from '../../families/workload-pods/claim-dependents.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';
import {deploymentKind, replicaSetKind, replicaSets} from './deployment-object.js';

type StoredSet = ReplicaSet & ApiObject;

export interface OwnedSetsOptions {
  readonly cache: ObjectCache;
  /** A set of a Deployment has changed, or is one no longer: the key of the Deployment. */
  readonly changed: (deployment: string) => void;
  /** A set that nobody controls has come or changed. */
  readonly orphaned: (namespace: string, labels: Readonly<Record<string, string>>) => void;
  readonly failed: (key: string, error: unknown) => void;
}

/** ReplicaSets in the server's cache, by the uid of what controls them; those that nobody controls by namespace. */
export class OwnedSets {
  /** The key of the Deployment that controls a set, by the key of the set. */
  readonly #owners = new Map<string, string>();
  readonly #informer: CacheInformer<StoredSet>;
  readonly #options: OwnedSetsOptions;

  constructor(options: OwnedSetsOptions) {
    this.#options = options;
    const {group, version, resource} = replicaSets;
    this.#informer = new CacheInformer(options.cache, namespaced<StoredSet>(group, version, resource, replicaSetKind), {
      metadataIndexes: {owner: (metadata) => [controllerOf({metadata})?.uid ?? `${metadata.namespace}/`]},
      changed: (key) => this.#changed(key),
      deleted: (key) => this.#setOwner(key, undefined),
      failed: options.failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  /** The Deployment that controls a set. */
  ownerOf(set: string): string | undefined {
    return this.#owners.get(set);
  }

  /** The sets that a Deployment controls, and those that it could adopt. */
  candidates(namespace: string, uid: string): Dependent[] {
    return [...this.#informer.by('owner', uid), ...this.#informer.by('owner', `${namespace}/`)].flatMap((key) => {
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

  /** The whole sets, which must not be changed; without those that have gone meanwhile. */
  async read(dependents: readonly Dependent[]): Promise<ReplicaSet[]> {
    const found: ReplicaSet[] = [];
    for (const {name, namespace} of dependents) {
      const set = await this.#informer.get(name, namespace);
      if (set) found.push(set as ReplicaSet);
    }
    return found;
  }

  #changed(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    const metadata = this.#informer.metadataView(name, namespace)?.metadata();
    const controller = metadata && controllerOf({metadata});
    this.#setOwner(key, controller?.kind === deploymentKind ? `${namespace}/${controller.name}` : undefined);
    if (metadata && !controller) this.#options.orphaned(namespace, metadata.labels ?? {});
  }

  #setOwner(key: string, owner: string | undefined): void {
    const before = this.#owners.get(key);
    if (owner === undefined) this.#owners.delete(key);
    else this.#owners.set(key, owner);
    if (before !== undefined && before !== owner) this.#options.changed(before);
    if (owner !== undefined) this.#options.changed(owner);
  }
}
