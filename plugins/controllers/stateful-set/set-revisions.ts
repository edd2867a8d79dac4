import {
  unlessExists,
  unlessOvertaken,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {selectorText} from '../../../sdk/labels/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ControllerRevision, StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerOf, controllerReference, ownersPatch} from '../../families/workload-pods/controller-reference.js';
import {numberOf, revisionData, templateOf} from '../../families/workload-pods/revision-data.js';
import {byAge, isSameRevision, newRevision} from './revision-object.js';
import {setKind, setVersion, statefulSets, type SetFeatures} from './set-object.js';
import type {SetParts} from './set-parts.js';

const revisions: ResourceRef = {group: 'apps', version: 'v1', resource: 'controllerrevisions'};

/** As in Kubernetes. */
const mostSame = 10_000;

/** All revisions of a set, and the two of the current update. */
export interface SetRevisions {
  readonly all: readonly ControllerRevision[];
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisions: number;
}

/** Keeps the history of a set's template as ControllerRevisions. */
export class RevisionHistory {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #features: SetFeatures;
  /** Uid of a set with its generation and the version of a revision that has the same template: comparing them takes long. */
  readonly #same = new Set<string>();

  constructor({resources, naming, features}: Pick<SetParts, 'resources' | 'naming' | 'features'>) {
    this.#resources = resources;
    this.#naming = naming;
    this.#features = features;
  }

  /** The history of a set. The last revision is that of its current template: an existing equal one, or a new one. */
  async of(set: StatefulSet): Promise<SetRevisions> {
    const all = await this.#list(set);
    const last = all.at(-1);
    const next = last === undefined ? 1 : numberOf(last) + 1;
    const collisions = set.status?.collisionCount ?? 0;
    const wanted = newRevision(this.#naming, set, next, collisions);
    const equal = all.filter((revision) => isSameRevision(revision, wanted)).at(-1);
    const made = await this.#made(set, wanted, {last, equal, next, collisions});
    const current = all.find(({metadata}) => metadata.name === set.status?.currentRevision) ?? made.update;
    return {all, current, ...made};
  }

  async #made(
    set: StatefulSet,
    wanted: ControllerRevision,
    {
      last,
      equal,
      next,
      collisions,
    }: {last: ControllerRevision | undefined; equal: ControllerRevision | undefined; next: number; collisions: number},
  ): Promise<{update: ControllerRevision; collisions: number}> {
    if (equal) return {update: equal === last ? equal : await this.#renumber(equal, next), collisions};
    if (last && (await this.#isSame(set, wanted, last))) return {update: last, collisions};
    return this.#create(set, wanted, collisions);
  }

  /** Whether a revision differs from the wanted one in nothing but defaults. */
  async #isSame({metadata, spec}: StatefulSet, wanted: ControllerRevision, last: ControllerRevision): Promise<boolean> {
    if (!this.#features.comparesDefaults || !this.#resources.check) return false;
    const key = `${metadata.uid} ${metadata.generation} ${last.metadata.resourceVersion}`;
    if (this.#same.has(key)) return true;
    const {name = '', namespace = ''} = metadata;
    const restored = {apiVersion: setVersion, kind: setKind, metadata: {name, namespace}, spec: {...spec, template: templateOf(last)}};
    try {
      const {spec: complete} = (await this.#resources.check(statefulSets, namespace, restored as ApiObject)) as StatefulSet;
      if (!sameValue(revisionData(complete?.template ?? {}), wanted.data)) return false;
    } catch {
      // What was valid once may not be any more.
      return false;
    }
    if (this.#same.size >= mostSame) this.#same.delete(this.#same.values().next().value!);
    this.#same.add(key);
    return true;
  }

  /** Deletes the oldest revisions beyond the limit that neither an update nor a pod needs. */
  async truncate(set: StatefulSet, {all, current, update}: SetRevisions, inUse: ReadonlySet<string | undefined>): Promise<void> {
    const live = new Set([...inUse, current.metadata.name, update.metadata.name]);
    const old = all.filter(({metadata}) => !live.has(metadata.name));
    const limit = set.spec?.revisionHistoryLimit ?? 10;
    for (const {metadata} of old.slice(0, Math.max(old.length - limit, 0))) {
      await unlessOvertaken(this.#resources.delete(revisions, metadata.namespace!, metadata.name!, {uid: metadata.uid!}));
    }
  }

  async #list(set: StatefulSet): Promise<ControllerRevision[]> {
    const labelSelector = selectorText(set.spec?.selector);
    const {items} = await this.#resources.list(revisions, set.metadata.namespace!, {labelSelector});
    const own: ControllerRevision[] = [];
    for (const revision of items as ControllerRevision[]) {
      const controller = controllerOf(revision);
      if (controller === undefined && !set.metadata.deletionTimestamp) own.push(await this.#adopt(set, revision));
      else if (controller?.uid === set.metadata.uid) own.push(revision);
    }
    return own.sort(byAge);
  }

  async #adopt(set: StatefulSet, revision: ControllerRevision): Promise<ControllerRevision> {
    const owners = [...(revision.metadata.ownerReferences ?? []), controllerReference(set, setVersion, setKind)];
    const {namespace, name} = revision.metadata;
    return (await this.#resources.patch(revisions, namespace!, name!, ownersPatch(revision, owners))) as ControllerRevision;
  }

  async #renumber(revision: ControllerRevision, next: number): Promise<ControllerRevision> {
    return (await this.#resources.update(revisions, revision.metadata.namespace!, {...revision, revision: next})) as ControllerRevision;
  }

  /** If a name is taken by other content, that counts as a collision and the next name is tried. */
  async #create(set: StatefulSet, wanted: ControllerRevision, before: number): Promise<{update: ControllerRevision; collisions: number}> {
    const namespace = set.metadata.namespace!;
    let revision = wanted;
    for (let collisions = before; ; collisions++) {
      if (collisions > before) revision = newRevision(this.#naming, set, numberOf(wanted), collisions);
      const made = await unlessExists(this.#resources.create(revisions, namespace, revision));
      if (made) return {update: made as ControllerRevision, collisions};
      const present = (await this.#resources.get(revisions, namespace, revision.metadata.name!)) as ControllerRevision;
      if (isSameRevision(present, revision)) return {update: present, collisions};
    }
  }
}
