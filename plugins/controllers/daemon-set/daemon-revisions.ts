import {ifFound, isAlreadyExists, type ApiObject, type ObjectCache, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ControllerRevision} from '../../../sdk/types/unchecked/apps/v1.js';
import {claimDependents} from '../../families/workload-pods/claim-dependents.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';
import {OwnedObjects, type OwnedObjectsOptions} from '../../families/workload-pods/owned-objects.js';
import {podType} from '../../families/workload-pods/pod-control.js';
import {numberOf, revisionData} from '../../families/workload-pods/revision-data.js';
import {templateHash} from '../../families/workload-pods/template-hash.js';
import type {Kept} from './daemon-pod.js';
import {daemonSets, daemonSetType, hashLabel, type StoredDaemonSet} from './daemon-set-object.js';

const revisions: ResourceRef = {group: 'apps', version: 'v1', resource: 'controllerrevisions'};
const revisionKind = 'ControllerRevision';

type StoredRevision = ControllerRevision & ApiObject;

/** The revisions of a DaemonSet. */
export interface History {
  /** The hash of the present template. */
  readonly hash: string;
  /** Of other templates. */
  readonly old: readonly StoredRevision[];
}

export interface DaemonRevisionsOptions extends Pick<OwnedObjectsOptions<StoredRevision>, 'changed' | 'orphaned' | 'failed'> {
  readonly cache: ObjectCache;
  readonly resources: ResourceClient;
}

/** Keeps the history of the templates of DaemonSets as ControllerRevisions. */
export class DaemonRevisions {
  readonly #resources: ResourceClient;
  readonly #revisions: OwnedObjects<StoredRevision>;

  constructor({resources, ...options}: DaemonRevisionsOptions) {
    this.#resources = resources;
    const {group, version, resource} = revisions;
    this.#revisions = new OwnedObjects({
      ...options,
      type: namespaced<StoredRevision>(group, version, resource, revisionKind),
      ownerKind: daemonSetType.kind,
    });
  }

  /** Resolves when all revisions are known. */
  start(signal: AbortSignal): Promise<void> {
    return this.#revisions.start(signal);
  }

  /** The history, in which there is exactly one revision of the present template, with the highest number. @throws StatusError */
  async of(set: StoredDaemonSet, pods: readonly Kept[]): Promise<History> {
    const data = revisionData(set.spec?.template ?? {});
    const present: StoredRevision[] = [];
    const old: StoredRevision[] = [];
    for (const revision of await this.#owned(set)) {
      const labelled = revision.metadata.labels?.[hashLabel] === undefined ? await this.#label(revision) : revision;
      (sameValue(labelled.data, data) ? present : old).push(labelled);
    }
    const next = Math.max(0, ...old.map(numberOf)) + 1;
    let current = present.length === 0 ? await this.#create(set, data, next) : await this.#single(present, pods);
    if (numberOf(current) < next) current = await this.#update({...current, revision: next});
    return {hash: current.metadata.labels?.[hashLabel] ?? '', old};
  }

  /** Deletes the oldest revisions of which there are no pods, beyond those that are kept. */
  async truncate(set: StoredDaemonSet, {old}: History, pods: readonly Kept[]): Promise<void> {
    let surplus = old.length - (set.spec?.revisionHistoryLimit ?? 10);
    if (surplus <= 0) return;
    const live = new Set(pods.map(({labels}) => labels[hashLabel]));
    for (const revision of old.toSorted((one, other) => numberOf(one) - numberOf(other))) {
      if (surplus <= 0) return;
      if (live.has(revision.metadata.labels?.[hashLabel])) continue;
      await this.#delete(revision);
      surplus -= 1;
    }
  }

  async #owned(set: StoredDaemonSet): Promise<readonly Readonly<StoredRevision>[]> {
    const {namespace = '', uid = ''} = set.metadata;
    const claim = {
      resources: this.#resources,
      owner: set,
      ownerRef: daemonSets,
      apiVersion: daemonSetType.apiVersion,
      kind: daemonSetType.kind,
      dependents: revisions,
      dependentKind: revisionKind,
      selects: compileSelector(set.spec?.selector),
    };
    return this.#revisions.read(await claimDependents(claim, this.#revisions.candidates(namespace, uid)));
  }

  /** What is there already has its name as hash, which cannot collide. */
  #label(revision: Readonly<StoredRevision>): Promise<StoredRevision> {
    const {metadata} = revision;
    return this.#update({
      ...revision,
      metadata: {...metadata, labels: {...metadata.labels, [hashLabel]: metadata.name!}},
    } as StoredRevision);
  }

  async #update(revision: StoredRevision): Promise<StoredRevision> {
    return (await this.#resources.update(revisions, revision.metadata.namespace!, revision)) as StoredRevision;
  }

  async #delete({metadata}: StoredRevision): Promise<void> {
    await ifFound(this.#resources.delete(revisions, metadata.namespace!, metadata.name!));
  }

  /** Of several of one template the newest stays, and pods of the others become its own. */
  async #single(present: readonly StoredRevision[], pods: readonly Kept[]): Promise<StoredRevision> {
    const kept = present.reduce((best, each) => (numberOf(each) >= numberOf(best) ? each : best));
    if (present.length === 1) return kept;
    const hash = kept.metadata.labels![hashLabel]!;
    for (const {namespace, name, labels} of pods)
      if (labels[hashLabel] !== hash) await this.#resources.patch(podType, namespace, name, {metadata: {labels: {[hashLabel]: hash}}});
    for (const revision of present) if (revision !== kept) await this.#delete(revision);
    return kept;
  }

  /** @throws StatusError if the name is taken by another template: the next attempt has another name */
  async #create(set: StoredDaemonSet, data: object, revision: number): Promise<StoredRevision> {
    const {name = '', namespace = '', annotations} = set.metadata;
    const template = set.spec?.template ?? {};
    const hash = templateHash(template, set.status?.collisionCount ?? undefined);
    const wanted = {
      apiVersion: daemonSetType.apiVersion,
      kind: revisionKind,
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: {...template.metadata?.labels, [hashLabel]: hash},
        ...(annotations ? {annotations: {...annotations}} : {}),
        ownerReferences: [controllerReference(set, daemonSetType.apiVersion, daemonSetType.kind)],
      },
      data,
      revision,
    } as StoredRevision;
    try {
      return (await this.#resources.create(revisions, namespace, wanted)) as StoredRevision;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const present = (await this.#resources.get(revisions, namespace, wanted.metadata.name!)) as StoredRevision;
      if (sameValue(present.data, data)) return present;
      await this.#noteCollision(set);
      throw error;
    }
  }

  async #noteCollision(set: StoredDaemonSet): Promise<void> {
    const {name = '', namespace = ''} = set.metadata;
    const fresh = (await this.#resources.get(daemonSets, namespace, name)) as StoredDaemonSet;
    const count = fresh.status?.collisionCount ?? 0;
    if (count !== (set.status?.collisionCount ?? 0)) return;
    const {apiVersion, kind} = daemonSetType;
    const changed = {...fresh, apiVersion, kind, status: {...fresh.status, collisionCount: count + 1}};
    await this.#resources.update(daemonSets, namespace, changed as ApiObject, 'status');
  }
}
