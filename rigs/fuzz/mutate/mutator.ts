import type {Random} from '../../../test/helpers/random.js';
import type {Recorded} from '../corpus-entry.js';
import {wireBytes, type FuzzRequest} from '../fuzz-request.js';
import {mutatePath, mutateQuery, type Learned} from './address.js';
import {mutateBody} from './body.js';
import {damage} from './damage.js';
import {accepts, contentTypes, extras, methods} from './dictionary.js';
import type {Value, Vocabulary} from './json-value.js';

type Headers = readonly (readonly [string, string])[];

/** Makes requests of recorded ones by changing them. */
export class Mutator {
  readonly #writes: readonly Recorded[];
  /** Requests by what they do, each with its share: objects have to be there more often than not. */
  readonly #kinds: readonly {readonly share: number; readonly requests: readonly Recorded[]}[];
  readonly #paths: readonly string[];
  readonly #vocabulary: Vocabulary;

  constructor(corpus: readonly Recorded[]) {
    this.#writes = corpus.filter(({method}) => method !== 'GET');
    const of = (...methods: string[]) => corpus.filter(({method}) => methods.includes(method));
    this.#kinds = [
      {share: 0.35, requests: of('POST')},
      {share: 0.37, requests: of('PUT', 'PATCH')},
      {share: 0.05, requests: of('DELETE')},
      {share: 1, requests: of('GET')},
    ];
    this.#paths = [...new Set(corpus.map(({path}) => path.split('?')[0]!))];
    this.#vocabulary = vocabularyOf(corpus);
  }

  /**
   * The next request.
   *
   * @param home the namespace that takes the place of those that were recorded, most of the time
   */
  next(random: Random, learned: Learned, home: string): FuzzRequest {
    let request = this.#placed(random, this.#picked(random), learned, home);
    if (random.chance(0.85)) for (let count = 1 + random.below(2); count > 0; count--) request = this.#changed(random, request, learned);
    if (request.body !== undefined && random.chance(0.05)) request = {...request, manner: random.chance(0.5) ? 'chunked' : 'cut'};
    return random.chance(0.02) ? {...request, manner: 'raw', raw: damage(random, wireBytes(request))} : request;
  }

  #picked(random: Random): Recorded {
    let left = random.below(1000) / 1000;
    const {requests} = this.#kinds.find(({share}) => (left -= share) < 0)!;
    return random.pick(requests);
  }

  /** A recorded request in the namespace of those who send it now. */
  #placed(random: Random, {method, path, headers, body}: Recorded, learned: Learned, home: string): FuzzRequest {
    const own = random.chance(0.95);
    const place = (text: string) =>
      own ? text.replaceAll(/\/namespaces\/(shop|programs|kinds|default)(?=\/)/g, `/namespaces/${home}`) : text;
    const refresh = (text: string) =>
      learned.versions.length > 0 && random.chance(0.3)
        ? text
            .replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${random.pick(learned.versions)}"`)
            .replace(/"uid":"[0-9a-f-]{36}"/, `"uid":"${learned.uids.at(-1) ?? ''}"`)
        : text.replace(/"resourceVersion":"\d+",?/, '').replace(/"uid":"[0-9a-f-]{36}",?/, '');
    const isText = body !== undefined && (body[0] === 0x7b || body[0] === 0x5b);
    const placed =
      isText && own
        ? Buffer.from(refresh(body.toString().replaceAll(/"namespace":"(shop|programs|kinds|default)"/g, `"namespace":"${home}"`)))
        : body;
    return {method, path: place(path), headers: Object.entries(headers), body: placed, manner: 'whole'};
  }

  #changed(random: Random, request: FuzzRequest, learned: Learned): FuzzRequest {
    const [path, query] = split(request.path);
    const at = (changedPath: string, changedQuery: string) => (changedQuery === '' ? changedPath : `${changedPath}?${changedQuery}`);
    const body = () => {
      if (request.body === undefined) return this.#withBody(random, request);
      const changed = mutateBody(random, {body: request.body, type: typeOf(request.headers)}, this.#vocabulary);
      return {
        ...request,
        body: changed.body,
        headers: changed.type === undefined ? request.headers : withHeader(request.headers, 'content-type', changed.type),
      };
    };
    return random.pick<() => FuzzRequest>([
      body,
      body,
      body,
      body,
      body,
      body,
      body,
      body,
      () => ({...request, path: at(mutatePath(random, path, this.#paths, learned), query)}),
      () => ({...request, path: at(path, mutateQuery(random, query, learned))}),
      () => ({...request, path: at(path, mutateQuery(random, query, learned))}),
      () => ({...request, headers: withHeader(request.headers, 'accept', random.pick(accepts))}),
      () => ({...request, headers: [...request.headers, random.pick(extras)]}),
      () => (random.chance(0.4) ? {...request, headers: withHeader(request.headers, 'content-type', random.pick(contentTypes))} : body()),
      () => (random.chance(0.3) ? {...request, method: random.pick(methods)} : body()),
    ])();
  }

  /** What came without a body gets that of another request. */
  #withBody(random: Random, request: FuzzRequest): FuzzRequest {
    if (!random.chance(0.2)) return request;
    const {body, headers} = random.pick(this.#writes);
    return {...request, body, headers: withHeader(request.headers, 'content-type', headers['content-type'] ?? 'application/json')};
  }
}

function split(path: string): [string, string] {
  const mark = path.indexOf('?');
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
}

function typeOf(headers: Headers): string | undefined {
  return headers.find(([name]) => name === 'content-type')?.[1];
}

function withHeader(headers: Headers, name: string, value: string): Headers {
  return [...headers.filter(([other]) => other !== name), [name, value]];
}

const maximumParts = 3000;

function vocabularyOf(corpus: readonly Recorded[]): Vocabulary {
  const members = new Set<string>([
    'metadata',
    'spec',
    'status',
    '__proto__',
    'constructor',
    '$patch',
    '$setElementOrder/containers',
    '$retainKeys',
  ]);
  const texts = new Set<string>();
  const parts: Value[] = [];
  const collect = (value: Value) => {
    if (typeof value === 'string') texts.add(value);
    if (typeof value !== 'object' || value === null) return;
    if (parts.length < maximumParts && JSON.stringify(value).length < 1000) parts.push(value);
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) members.add(name);
      collect(member);
    }
  };
  for (const {body} of corpus) {
    if (body?.[0] !== 0x7b && body?.[0] !== 0x5b) continue;
    try {
      collect(JSON.parse(body.toString()) as Value);
    } catch {
      // YAML, or a body that is wrong on purpose.
    }
  }
  return {members: [...members], texts: [...texts].filter((text) => text.length < 2000), parts};
}
