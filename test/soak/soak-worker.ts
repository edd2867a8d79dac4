import type {ApiObject} from '../../sdk/index.js';
import type {Random} from '../helpers/random.js';
import {eventually} from '../helpers/eventually.js';
import {fateOf, orphan, type SoakObject, type SoakPlace} from './soak-model.js';
import type {SoakServers} from './soak-servers.js';

const definitions = '/apis/apiextensions.orch/v1/customresourcedefinitions';
const policies = ['Background', 'Foreground', 'Orphan'] as const;
/** From so many objects on, more are deleted than made. */
const enough = 60;

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly collection: string;
  readonly places: readonly SoakPlace[];
  readonly more: object;
}

/** Makes and deletes objects of its own, one after the other, and remembers what should be there. */
export class SoakWorker {
  readonly objects = new Set<SoakObject>();
  readonly places = new Set<SoakPlace>();
  readonly #kinds = new Map<string, Kind>();
  #names = 0;
  #definition: SoakPlace | undefined;
  #namespace: SoakPlace | undefined;
  actions = 0;
  readonly #id: string;
  readonly #random: Random;
  readonly #servers: SoakServers;

  constructor(id: string, random: Random, servers: SoakServers) {
    this.#id = id;
    this.#random = random;
    this.#servers = servers;
  }

  /** Makes or deletes something. */
  async act(): Promise<void> {
    this.actions += 1;
    const random = this.#random;
    const staying = [...this.objects].filter((object) => fateOf(object) === 'stays');
    if (!this.#namespace) return this.#makeNamespace();
    if (!this.#definition && random.chance(0.1)) return this.#makeDefinition();
    if (random.chance(0.01)) return this.#deletePlace('#namespace');
    if (random.chance(0.01)) return this.#deletePlace('#definition');
    if (random.chance(0.05)) return this.release();
    if (staying.length > 0 && random.chance(staying.length > enough ? 0.4 : 0.1)) return this.#delete(random.pick(staying));
    return this.#make(staying);
  }

  /** Takes the finalizers away that keep objects. */
  async release(): Promise<void> {
    for (const object of this.objects) {
      if (!object.held || fateOf(object) === 'stays') continue;
      // The garbage collector has one of its own beside it, and other writers come in between.
      await eventually(
        async () => {
          const found = await this.#servers.send('GET', object.path);
          if (found.status === 404) return 'gone';
          const {metadata} = found.json<ApiObject>();
          if (metadata.uid !== object.uid) return 'gone';
          const finalizers = (metadata.finalizers ?? []).filter((name) => name !== 'example.com/hold');
          if (finalizers.length === (metadata.finalizers ?? []).length) return 'free';
          const answer = await this.#servers.send('PATCH', object.path, {
            metadata: {resourceVersion: metadata.resourceVersion, finalizers},
          });
          return `held: ${answer.text}`;
        },
        (state) => state === 'gone' || state === 'free',
        60_000,
      );
      object.held = false;
    }
  }

  async #makeNamespace(): Promise<void> {
    const name = `soak-${this.#id}-${++this.#names}`;
    await this.#create('/api/v1/namespaces', {metadata: {name}});
    const place = {path: `/api/v1/namespaces/${name}`, deleted: false};
    this.places.add(place);
    this.#namespace = place;
    const inside = `${place.path}/`;
    this.#kinds.set('maps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      collection: `${inside}configmaps`,
      places: [place],
      more: {data: {a: 'b'}},
    });
    this.#kinds.set('secrets', {apiVersion: 'v1', kind: 'Secret', collection: `${inside}secrets`, places: [place], more: {}});
    this.#kinds.set('classes', {
      apiVersion: 'scheduling.orch/v1',
      kind: 'PriorityClass',
      collection: '/apis/scheduling.orch/v1/priorityclasses',
      places: [],
      more: {value: 1},
    });
    if (this.#definition) this.#useDefinition(this.#definition);
  }

  async #makeDefinition(): Promise<void> {
    const group = `soak-${this.#id}-${++this.#names}.example.com`;
    const versions = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}];
    const name = `things.${group}`;
    await this.#create(definitions, {
      metadata: {name},
      spec: {group, names: {kind: 'Thing', plural: 'things'}, scope: 'Namespaced', versions},
    });
    this.#definition = {path: `${definitions}/${name}`, deleted: false};
    this.places.add(this.#definition);
    this.#useDefinition(this.#definition);
  }

  #useDefinition(definition: SoakPlace): void {
    const group = definition.path.slice(definition.path.indexOf('/things.') + '/things.'.length);
    const namespace = this.#namespace!;
    this.#kinds.set('things', {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      collection: `/apis/${group}/v1/namespaces/${namespace.path.split('/').at(-1)}/things`,
      places: [namespace, definition],
      more: {apiVersion: `${group}/v1`, kind: 'Thing'},
    });
  }

  async #deletePlace(which: '#namespace' | '#definition'): Promise<void> {
    const place = which === '#namespace' ? this.#namespace : this.#definition;
    if (!place) return;
    place.deleted = true;
    if (which === '#namespace') {
      this.#namespace = undefined;
      this.#kinds.clear();
    } else {
      this.#definition = undefined;
      this.#kinds.delete('things');
    }
    await this.#servers.send('DELETE', place.path);
  }

  async #make(staying: readonly SoakObject[]): Promise<void> {
    const random = this.#random;
    const kind = random.pick([...this.#kinds.values()]);
    const isClusterScoped = kind.places.length === 0;
    // An owner is in the same namespace, or in none.
    const possible = staying.filter(({places}) => places.length === 0 || (!isClusterScoped && places[0] === this.#namespace));
    const owners = possible.length > 0 && random.chance(0.75) ? [...new Set(random.some(possible, 2))] : [];
    // In no namespace it would never be collected.
    const stray = owners.length === 0 && !isClusterScoped && random.chance(0.05);
    const held = random.chance(0.1);
    const ownerReferences: object[] = owners.map((owner) => ({...nameOf.get(owner)!, blockOwnerDeletion: random.chance(0.5)}));
    if (stray) ownerReferences.push({apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: crypto.randomUUID()});
    const name = `${this.#id}-${++this.#names}`;
    const metadata = {name, ownerReferences, ...(held ? {finalizers: ['example.com/hold']} : {})};
    const made = await this.#create(kind.collection, {...kind.more, metadata});
    // A stray may be gone before the answer to its creation was seen.
    const uid = made?.metadata.uid ?? '';
    const object = {path: `${kind.collection}/${name}`, uid, places: kind.places, owners, deleted: false, stray, held, undecided: false};
    nameOf.set(object, {apiVersion: kind.apiVersion, kind: kind.kind, name, uid});
    this.objects.add(object);
  }

  async #delete(object: SoakObject): Promise<void> {
    const propagationPolicy = this.#random.pick(policies);
    object.deleted = true;
    if (propagationPolicy === 'Orphan') orphan(object, this.objects);
    const answer = await this.#servers.send('DELETE', object.path, {propagationPolicy, preconditions: {uid: object.uid}});
    // 404 answers one that is sent again.
    if (answer.status > 202 && answer.status !== 404) throw new Error(`DELETE ${object.path}: ${answer.text}`);
  }

  /** Answers the object, also if it was made by a request whose answer was lost; undefined if it is gone again. */
  async #create(collection: string, object: {metadata: {name: string}; spec?: object}): Promise<ApiObject | undefined> {
    const made = await eventually(
      () => this.#servers.send('POST', collection, object),
      // The other server may not serve a new type yet.
      ({status}) => status !== 404,
      60_000,
    );
    if (made.status === 201) return made.json<ApiObject>();
    if (made.status !== 409) throw new Error(`POST ${collection}: ${made.text}`);
    const found = await this.#servers.send('GET', `${collection}/${object.metadata.name}`);
    return found.status === 200 ? found.json<ApiObject>() : undefined;
  }
}

/** How dependents name an object. */
const nameOf = new WeakMap<SoakObject, object>();
