import {encodeObject} from '../../../core/api/protobuf/envelope.js';
import {ObjectSchema} from '../../../core/api/object-schema/object-schema.js';
import {schemaBehaviour} from '../../../core/api/schema/schema-behaviour.js';
import type {SchemaNode} from '../../../core/api/schema/schema-node.js';
import {schemaAt, schemaOf} from '../../../test/catalogue/schemas.js';
import type {Random} from '../../../test/helpers/random.js';
import type {Recorded} from '../corpus-entry.js';
import type {FuzzRequest} from '../fuzz-request.js';
import {accepts} from '../mutate/dictionary.js';
import type {Value} from '../mutate/json-value.js';
import {customBase, customSchema} from './custom-type.js';
import {largeValue} from './large-value.js';
import {PlaceFinder, type Place} from './places.js';

type Members = Record<string, Value>;

/** A type with a smallest object of it. */
interface Base {
  /** Where it is created, in the namespace `kinds` if it has one. */
  readonly collection: string;
  readonly object: Members & {apiVersion: string; kind: string; metadata: Members};
  readonly node: SchemaNode;
}

/** Requests that make one place of an object large. */
export interface LargeCase {
  /** What is large, as in `Pod spec.containers[0].env`, and by which kind of request. */
  readonly name: string;
  /** In their order, each to be answered before the next. @param name of the object, where its type prescribes none */
  requests(name: string): readonly FuzzRequest[];
}

/** Names that say what the object is about. */
const prescribed = /\/(customresourcedefinitions|apiservices|storageversions)$/;

/** Makes every list, map and text of every type large, one after the other, in an order that the seed decides; and again when all have been. */
export class LargeCases {
  readonly #places: readonly {readonly base: Base; readonly place: Place}[];
  readonly #random: Random;
  #order: number[] = [];

  /** @param release whose fields are made large */
  constructor(corpus: readonly Recorded[], release: string, random: Random) {
    const finder = new PlaceFinder();
    this.#places = basesOf(corpus, release).flatMap((base) => finder.placesOf(base.node).map((place) => ({base, place})));
    this.#random = random;
  }

  /** How many places there are. */
  get count(): number {
    return this.#places.length;
  }

  /** @param home the namespace of its object */
  next(home: string): LargeCase {
    const random = this.#random;
    if (this.#order.length === 0) this.#order = shuffled(random, this.#places.length);
    const {base, place} = this.#places[this.#order.pop()!]!;
    return new PlacedCase(base, place, largeValue(random, place), home, random.pick(ways), random.pick(accepts));
  }
}

function shuffled(random: Random, count: number): number[] {
  const order = Array.from({length: count}, (_, index) => index);
  for (let index = count - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}

/** The objects that the recording of all kinds creates. */
function basesOf(corpus: readonly Recorded[], release: string): Base[] {
  const bases = new Map<string, Base>();
  for (const {method, path, headers, body} of corpus) {
    if (method !== 'POST' || !path.includes('/') || headers['content-type'] !== 'application/json' || body === undefined) continue;
    if (!body.includes('"name":"every-kind-') && !prescribed.test(path)) continue;
    const object = JSON.parse(body.toString()) as Base['object'];
    const {apiVersion, kind} = object;
    if (!apiVersion || bases.has(`${apiVersion} ${kind}`)) continue;
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
    const node = nodeOf(group, version, kind, release);
    if (node) bases.set(`${apiVersion} ${kind}`, {collection: path, object, node});
  }
  const node = new ObjectSchema(customSchema as never, {
    kubernetesSemantics: false,
    release: '1.26',
    naming: undefined,
    behaviour: schemaBehaviour({enabled: () => true}),
    resolve: schemaAt,
  }).node;
  return [...bases.values(), {...customBase, node}];
}

function nodeOf(group: string, version: string, kind: string, release: string): SchemaNode | undefined {
  try {
    return schemaOf(group, version, kind, release);
  } catch {
    // A custom resource of the recording.
    return undefined;
  }
}

const ways = [
  'create',
  'create',
  'dry run',
  'yaml',
  'protobuf',
  'update',
  'merge',
  'strategic',
  'json',
  'apply',
  'apply again',
  'status',
  'delete options',
] as const;
type Way = (typeof ways)[number];

const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

class PlacedCase implements LargeCase {
  readonly #base: Base;
  readonly #place: Place;
  readonly #value: Value;
  readonly #home: string;
  readonly #way: Way;
  readonly #accept: string;

  constructor(base: Base, place: Place, value: Value, home: string, way: Way, accept: string) {
    this.#base = base;
    this.#place = place;
    this.#value = value;
    this.#home = home;
    this.#way = way;
    this.#accept = accept;
  }

  get name(): string {
    const {kind, steps} = this.#place;
    const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const {object} = this.#base;
    return `${this.#way}: ${kind} ${object.kind}${path} of ${object.apiVersion}`;
  }

  requests(given: string): readonly FuzzRequest[] {
    const {collection: recorded, object} = this.#base;
    const collection = recorded.replace('/namespaces/kinds/', `/namespaces/${this.#home}/`);
    const name = prescribed.test(collection) ? (object.metadata['name'] as string) : given;
    const small = {...object, metadata: {name}};
    const path = `${collection}/${encodeURIComponent(name)}`;
    const get = request('GET', path, undefined, undefined, this.#accept);
    const end = request('DELETE', `${path}?gracePeriodSeconds=0&propagationPolicy=Background`);
    return [...this.#writes(collection, path, small), get, end];
  }

  #writes(collection: string, path: string, small: Base['object']): FuzzRequest[] {
    const large = () => withValue(small, this.#place.steps, this.#value);
    const create = (object: Value = small) => request('POST', collection, object);
    const patch = (form: keyof typeof patchTypes, body: Value, query = '') => request('PATCH', `${path}${query}`, body, patchTypes[form]);
    const applied = (value: Value) => patch('apply', value, '?fieldManager=fuzz&force=true');
    switch (this.#way) {
      case 'create':
        return [create(large())];
      case 'dry run':
        return [request('POST', `${collection}?dryRun=All`, large())];
      case 'yaml':
        return [request('POST', collection, large(), 'application/yaml')];
      case 'protobuf':
        return [this.#binary(collection, large())];
      case 'update':
        return [create(), request('PUT', path, large())];
      case 'merge':
      case 'strategic':
        return [create(), patch(this.#way, partOf(large()))];
      case 'json': {
        const pointer = `/${this.#place.steps[0]}`;
        return [create(), patch('json', [{op: 'add', path: pointer, value: large()[String(this.#place.steps[0])] ?? null}])];
      }
      case 'apply':
        return [applied(large())];
      case 'apply again':
        return [applied(large()), applied(withValue(large(), ['metadata', 'labels'], {other: 'yes'})), applied(small)];
      case 'status':
        return [create(), request('PATCH', `${path}/status`, partOf(large()), patchTypes.merge)];
      case 'delete options':
        return [create(), request('DELETE', path, {preconditions: {}, dryRun: ['All'], ...partOf(large())})];
    }
  }

  /** As JSON where the values do not fit the fields. */
  #binary(collection: string, object: Base['object']): FuzzRequest {
    const [group, version] = object.apiVersion.includes('/') ? (object.apiVersion.split('/') as [string, string]) : ['', object.apiVersion];
    try {
      if (!this.#base.node.kubernetesSemantics) return request('POST', collection, object);
      const body = encodeObject(object as never, {group, version, kind: object.kind}, this.#base.node);
      return {...request('POST', collection, {}, 'application/vnd.kubernetes.protobuf'), body};
    } catch {
      return request('POST', collection, object);
    }
  }
}

function partOf({apiVersion: _apiVersion, kind: _kind, ...members}: Base['object']): Members {
  return members;
}

/** A copy of an object with a value at a place; what is missing on the way there is made. */
function withValue<T extends Members>(object: T, steps: readonly (string | number)[], value: Value): T {
  const copy = structuredClone(object);
  let holder: Record<string | number, Value> = copy;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const next = holder[step];
    const isList = typeof steps[index + 1] === 'number';
    if (typeof next !== 'object' || next === null || Array.isArray(next) !== isList) holder[step] = isList ? [] : {};
    holder = holder[step] as Record<string | number, Value>;
  }
  holder[steps.at(-1)!] = value;
  return copy;
}

function request(method: string, path: string, body?: Value, type = 'application/json', accept?: string): FuzzRequest {
  const headers: [string, string][] = [];
  if (body !== undefined) headers.push(['content-type', type]);
  if (accept !== undefined) headers.push(['accept', accept]);
  return {method, path, headers, body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)), manner: 'whole'};
}
