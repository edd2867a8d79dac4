import type {ApiObject, Status} from '../../sdk/index.js';
import type {Random} from '../../test/helpers/random.js';
import {eventually, until} from '../../test/helpers/eventually.js';
import type {HttpsResponse} from '../../test/helpers/https-client.js';
import {clusterKinds, definedKind, definitions, namespacedKinds, tokenName} from './soak-kinds.js';
import {fateOf, orphan, rest, type SoakKind, type SoakObject, type SoakPlace} from './soak-model.js';
import type {SoakServers} from './soak-servers.js';

const policies = ['Background', 'Foreground', 'Orphan'] as const;
/** From so many objects on, more are deleted than made. */
const enough = 60;
/** How long a token lasts at most that expires. */
const longestTokenMillis = 3000;

/** Makes and deletes objects of its own, one after the other, and remembers what should be there. */
export class SoakWorker {
  /** Objects that stay, or may. */
  readonly objects = new Set<SoakObject>();
  /** Objects that go, or are gone, since it was last looked. */
  readonly going = new Set<SoakObject>();
  readonly places = new Set<SoakPlace>();
  #kinds: readonly SoakKind[] = [];
  #names = 0;
  #definition: SoakPlace | undefined;
  #namespace: SoakPlace | undefined;
  actions = 0;
  made = 0;
  readonly #number: number;
  readonly #id: string;
  readonly #request: string;
  readonly #random: Random;
  readonly #servers: SoakServers;

  /** @param request as for `clusterKinds` */
  constructor(number: number, random: Random, servers: SoakServers, request: string) {
    this.#number = number;
    this.#id = `w${number}`;
    this.#random = random;
    this.#servers = servers;
    this.#request = request;
  }

  /** Makes or deletes something. */
  async act(): Promise<void> {
    this.actions += 1;
    const random = this.#random;
    const staying = this.#staying();
    if (!this.#namespace) return this.#makeNamespace();
    if (!this.#definition && random.chance(0.1)) return this.#makeDefinition();
    if (random.chance(0.01)) return this.#deletePlace('#namespace');
    if (random.chance(0.01)) return this.#deletePlace('#definition');
    if (random.chance(0.05)) return this.release();
    if (random.chance(0.1)) return this.#change(staying);
    if (staying.length > 0 && random.chance(staying.length > enough ? 0.4 : 0.1)) return this.#delete(random.pick(staying));
    return this.#make(staying);
  }

  /** Takes the finalizers away that keep objects. */
  async release(): Promise<void> {
    for (const object of [...this.objects, ...this.going]) {
      if (!object.held || fateOf(object) === 'stays') continue;
      // The garbage collector has one of its own beside it, and other writers come in between.
      await eventually(
        async () => {
          const found = await this.#sendTo(object, 'GET');
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
      object.history.push(`let go at ${clock()}`);
    }
  }

  /** Everything is as it should be: forgets what is gone, and learns what has become of the objects of which that was not known. */
  settled(found: ReadonlyMap<string, ApiObject>): void {
    for (const object of this.going) if (found.has(object.path)) this.objects.add(object);
    this.going.clear();
    for (const place of this.places) if (place.deleted) this.places.delete(place);
    rest(this.objects, found);
  }

  #staying(): SoakObject[] {
    const staying: SoakObject[] = [];
    for (const object of this.objects) {
      const fate = fateOf(object);
      if (fate === 'stays') staying.push(object);
      if (fate !== 'goes') continue;
      this.objects.delete(object);
      this.going.add(object);
    }
    return staying;
  }

  async #makeNamespace(): Promise<void> {
    const name = `soak-${this.#id}-${++this.#names}`;
    await this.#create('/api/v1/namespaces', {metadata: {name}});
    this.#namespace = {path: `/api/v1/namespaces/${name}`, deleted: false, orphanedSets: new Set()};
    this.places.add(this.#namespace);
    this.#chooseKinds();
  }

  async #makeDefinition(): Promise<void> {
    const group = `soak-${this.#id}-${++this.#names}.example.com`;
    const versions = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}];
    const name = `things.${group}`;
    await this.#create(definitions, {
      metadata: {name},
      spec: {group, names: {kind: 'Thing', plural: 'things'}, scope: 'Namespaced', versions},
    });
    this.#definition = {path: `${definitions}/${name}`, deleted: false, orphanedSets: new Set(), madeAt: performance.now()};
    this.places.add(this.#definition);
    this.#chooseKinds();
  }

  #chooseKinds(): void {
    const namespace = this.#namespace;
    this.#kinds = [
      ...clusterKinds(this.#request),
      ...(namespace ? namespacedKinds(namespace) : []),
      ...(namespace && this.#definition ? [definedKind(this.#definition, namespace)] : []),
    ];
  }

  async #deletePlace(which: '#namespace' | '#definition'): Promise<void> {
    const place = which === '#namespace' ? this.#namespace : this.#definition;
    if (!place) return;
    place.deleted = true;
    place.terms = this.#servers.termsThatKnow(place.madeAt);
    if (which === '#namespace') this.#namespace = undefined;
    else this.#definition = undefined;
    this.#chooseKinds();
    await this.#servers.send('DELETE', place.path);
  }

  async #make(staying: readonly SoakObject[]): Promise<void> {
    const random = this.#random;
    const kind = random.pick(this.#kinds);
    const isClusterScoped = kind.places.length === 0;
    // An owner is in the same namespace, or in none.
    const possible = staying.filter(
      ({kind: {isAlone}, places}) => !isAlone && (places.length === 0 || (!isClusterScoped && places[0] === this.#namespace)),
    );
    const owners = !kind.isAlone && possible.length > 0 && random.chance(0.75) ? [...new Set(random.some(possible, 2))] : [];
    // In no namespace it would never be collected.
    const stray = owners.length === 0 && !isClusterScoped && random.chance(0.05);
    const held = !kind.isAlone && random.chance(0.1);
    const ownerReferences: object[] = owners.map((owner) => ({...nameOf.get(owner)!, blockOwnerDeletion: random.chance(0.5)}));
    if (stray) ownerReferences.push({apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: crypto.randomUUID()});
    const isToken = kind.kind === 'BootstrapToken';
    const name = isToken ? this.#nextToken() : `${this.#id}-${++this.#names}`;
    const metadata = {name, ownerReferences, ...(held ? {finalizers: ['example.com/hold']} : {})};
    const more = kind.more(name) as {stringData?: object};
    const expires = isToken && random.chance(0.7);
    if (expires) {
      const expiration = new Date(Date.now() + random.below(longestTokenMillis)).toISOString();
      more.stringData = {...more.stringData, expiration};
    }
    const created = await this.#create(kind.collection, {...more, metadata});
    this.made += 1;
    const object: SoakObject = {
      path: `${kind.collection}/${name}`,
      kind,
      // A stray may be gone before the answer to its creation was seen.
      uid: created?.metadata.uid ?? '',
      places: kind.places,
      owners,
      deleted: expires,
      stray,
      held,
      undecided: false,
      history: [`made at ${clock()} for ${owners.map(({path}) => path).join(', ') || 'nobody'}${held ? ', held' : ''}`],
      ...(kind.kind === 'StatefulSet' ? {replicas: 2} : {}),
    };
    nameOf.set(object, {apiVersion: kind.apiVersion, kind: kind.kind, name, uid: object.uid});
    this.objects.add(object);
    if (kind.kind === 'CertificateSigningRequest' && random.chance(0.8)) await this.#approve(object);
  }

  /** Ids of tokens have six characters. */
  #nextToken(): string {
    return `${tokenName}${this.#number.toString(36)}${(++this.#names).toString(36).padStart(5, '0')}`;
  }

  async #approve(object: SoakObject): Promise<void> {
    const conditions = [{type: 'Approved', status: 'True', reason: 'Soak', message: 'by the soak'}];
    await this.#expect(200, object, 'PATCH', `${object.path}/approval`, {status: {conditions}});
    object.isApproved = true;
  }

  /** A set gets another size or loses a pod, or a Job finishes. */
  async #change(staying: readonly SoakObject[]): Promise<void> {
    const changeable = staying.filter(({kind}) => kind.kind === 'Job' || kind.kind === 'StatefulSet');
    if (changeable.length === 0) return this.#make(staying);
    const object = this.#random.pick(changeable);
    if (object.kind.kind === 'Job') {
      const time = `${new Date().toISOString().slice(0, 19)}Z`;
      const conditions = [{type: 'Complete', status: 'True', lastTransitionTime: time, lastProbeTime: time}];
      object.deleted = true;
      // One that is sent again may find that it is gone.
      await this.#expect(404, object, 'PATCH', `${object.path}/status`, {status: {conditions}});
    } else if (this.#random.chance(0.3)) {
      const ordinal = this.#random.below(3);
      const pod = object.path.replace('/apis/apps/v1/', '/api/v1/').replace('/statefulsets/', '/pods/');
      await this.#servers.send('DELETE', `${pod}-${ordinal}`);
    } else {
      object.replicas = this.#random.below(4);
      await this.#expect(200, object, 'PATCH', object.path, {spec: {replicas: object.replicas}});
    }
  }

  async #delete(object: SoakObject): Promise<void> {
    const propagationPolicy = this.#random.pick(policies);
    object.deleted = true;
    object.history.push(`deleted at ${clock()}: ${propagationPolicy}`);
    for (const {owners, history} of this.objects)
      if (owners.includes(object)) history.push(`owner ${object.path} deleted at ${clock()}: ${propagationPolicy}`);
    if (propagationPolicy === 'Orphan') {
      orphan(object, this.objects);
      if (object.replicas !== undefined) object.places[0]!.orphanedSets.add(object.path.split('/').at(-1)!);
    }
    const answer = await this.#sendTo(object, 'DELETE', {propagationPolicy, preconditions: {uid: object.uid}});
    // 404 answers one that is sent again.
    if (answer.status > 202 && answer.status !== 404) throw new Error(`DELETE ${object.path}: ${answer.text}`);
  }

  /** Sends a request until a server answers it that serves the type of the object, or its definition is gone. */
  #sendTo({path, places: [, definition]}: SoakObject, method: string, body?: object): Promise<HttpsResponse> {
    return until(
      `${method} ${path} where it is served`,
      async () => {
        const answer = await this.#servers.send(method, path, body);
        if (answer.status !== 404 || !definition || namesObject(answer)) return answer;
        return (await this.#servers.send('GET', definition.path)).status === 404 && answer;
      },
      60_000,
    );
  }

  async #expect(status: number, object: SoakObject, method: string, path: string, body: object): Promise<void> {
    const answer = await this.#servers.send(method, path, body);
    if (answer.status > 202 && answer.status !== status) throw new Error(`${method} ${path}: ${answer.text}; ${told(object)}`);
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

/** Whether a 404 tells of an object. That of a type, or of a whole group version, which is no JSON, does not. */
function namesObject({text}: {readonly text: string}): boolean {
  return text.startsWith('{') && (JSON.parse(text) as Status).details?.name !== undefined;
}

/** What was asked for an object, and for its owners. */
function told({path, history, owners}: SoakObject): string {
  return [`${path} ${history.join('; ')}`, ...owners.map(told)].join('\n  of ');
}

const clock = (): string => new Date().toISOString().slice(11, 23);

/** How dependents name an object. */
const nameOf = new WeakMap<SoakObject, object>();
