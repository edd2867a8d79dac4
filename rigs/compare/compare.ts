import {startTestServer} from '@orch-api/orch/testing';
import {catalogueTypes, type CatalogueType} from '../../test/catalogue/catalogue-types.js';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {readKubeconfig} from '../../test/helpers/kubeconfig.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {namingProfileNamed} from '../../core/api/naming/create-naming-profile.js';
import {answerOf, asOfToday, type Answer} from './answers.js';
import {differenceOf, type Difference} from './differences.js';
import {commonFlags} from './real-server.js';
import type {CompareRequest, ComparedSubresource, ComparedType} from './compare-request.js';
import {requestsOfKind} from './kinds/all-kinds.js';
import {readRecorded, recordedKinds} from './recorded.js';
import {baseObject, collectionOf} from './requests.js';
import type {Schemas} from './schema-places.js';

export interface Comparison {
  /** How many requests were sent. */
  readonly count: number;
  readonly differences: readonly Difference[];
}

const naming = namingProfileNamed('kubernetes')!;
/** Requests under way at once. */
const parallel = 8;

/** A server of this project that is told the same as the real one. */
export async function startOwnServer(t: Teardown, release: string): Promise<HttpsClient> {
  const server = await startTestServer({
    platform: 'kubernetes',
    release,
    controllers: ['flow-control'],
    strictPlugins: false,
    enableTestingApi: false,
    authorizationMode: [commonFlags['authorization-mode']],
    disableAdmissionPlugins: [commonFlags['disable-admission-plugins']],
    runtimeConfig: {'api/all': true},
    // What kube-apiserver does without the flag.
    flags: {'allow-privileged': false},
  });
  t.teardown(() => server.stop());
  return httpsClient(t, readKubeconfig(server.kubeconfig));
}

/** The types that both servers have, with their schemas as the own one publishes them. */
export async function comparedTypes(
  own: HttpsClient,
  real: HttpsClient,
  headers: Record<string, string>,
): Promise<{types: ComparedType[]; missing: string[]}> {
  const [mine, theirs] = [await typesOf(own, {}), await typesOf(real, headers)];
  const key = ({groupVersion, resource}: CatalogueType) => `${groupVersion} ${resource}`;
  const has = new Map(mine.map((type) => [key(type), type]));
  const types: ComparedType[] = [];
  for (const type of theirs) {
    if (!has.has(key(type))) continue;
    const document = (await own.get(`/openapi/v3${type.root}`)).json<{components: {schemas: Schemas}}>();
    types.push({...type, schemas: document.components.schemas, subresources: await subresourcesOf(own, type)});
  }
  return {types, missing: theirs.map(key).filter((one) => !has.has(one))};
}

interface ResourceList {
  readonly resources: readonly {name: string; kind: string; group?: string; version?: string; verbs: string[]}[];
}

async function subresourcesOf(own: HttpsClient, {root, resource, groupVersion}: CatalogueType): Promise<ComparedSubresource[]> {
  const {resources} = (await own.get(root)).json<ResourceList>();
  return resources.flatMap(({name, kind, group, version, verbs}) => {
    if (!name.startsWith(`${resource}/`)) return [];
    const other = version === undefined ? groupVersion : group ? `${group}/${version}` : version;
    return [{name: name.slice(resource.length + 1), kind, groupVersion: other, verbs}];
  });
}

function typesOf(client: HttpsClient, headers: Record<string, string>): Promise<CatalogueType[]> {
  return catalogueTypes({get: (path: string) => client.get(path, headers)} as never);
}

/** Makes the objects that requests change. @returns the types for which there is none, with what the server said */
export async function makeBases(client: HttpsClient, types: readonly CatalogueType[], headers: Record<string, string>): Promise<string[]> {
  const refused: string[] = [];
  const made = new Set<string>();
  for (const type of types) {
    const base = baseObject(type, naming);
    // The versions of a type share their objects.
    const key = `${type.group} ${type.resource}`;
    if (base === undefined || made.has(key)) continue;
    const {status, text} = await client.request('POST', collectionOf(type), {body: base, headers});
    if (status === 201 || status === 409) made.add(key);
    else refused.push(`${type.groupVersion} ${type.resource}: ${status} ${text}`);
  }
  return refused;
}

/** The requests of a kind for these types. */
export function requestsFor(kind: string, types: readonly ComparedType[], seed: number, count?: number): CompareRequest[] {
  return requestsOfKind(kind, types, naming, seed, count);
}

const mediaTypes: Readonly<Record<string, string>> = {
  POST: 'application/json',
  PUT: 'application/json',
  DELETE: 'application/json',
  PATCH: 'application/merge-patch+json',
};

function bodyOf({body, text, bytes}: CompareRequest): unknown {
  if (bytes !== undefined) return Buffer.from(bytes, 'base64');
  return text ?? (typeof body === 'object' && body !== null ? body : body === undefined ? undefined : JSON.stringify(body));
}

/** Sends all, several at once. Answers come in the order of the requests. */
export async function send(
  client: HttpsClient,
  requests: readonly CompareRequest[],
  headers: Record<string, string>,
  progress: (done: number) => void = () => {},
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < requests.length) {
      const at = next++;
      const request = requests[at]!;
      const body = bodyOf(request);
      const type = mediaTypes[request.method];
      const media: Record<string, string> = body !== undefined && type !== undefined ? {'content-type': type} : {};
      answers[at] = answerOf(
        await client.request(request.method, request.path, {body, headers: {...headers, ...media, ...request.headers}}),
      );
      progress(++done);
    }
  };
  await Promise.all(Array.from({length: parallel}, work));
  return answers;
}

/** Which of the recorded requests are sent again. */
export interface Selection {
  readonly kinds?: readonly string[];
  readonly isWanted?: (request: CompareRequest) => boolean;
  /** One in so many, but all of the kind `objects`. */
  readonly oneIn?: number;
}

/** Sends what was recorded of a release to a server of our own. @returns by kind of request all differences, known ones too */
export async function compareRecorded(
  t: Teardown,
  release: string,
  {kinds = recordedKinds(release), isWanted = () => true, oneIn = 1}: Selection = {},
): Promise<Map<string, Comparison>> {
  const own = await startOwnServer(t, release);
  const {types} = await comparedTypes(own, own, {});
  await makeBases(own, types, {});
  const found = new Map<string, Comparison>();
  for (const kind of kinds) {
    const recorded = readRecorded(release, kind).filter(({request}, at) => isWanted(request) && (kind === 'objects' || at % oneIn === 0));
    const mine = await send(
      own,
      recorded.map(({request}) => request),
      {},
    );
    const differences = recorded.flatMap(({request, answer}, at) => differenceOf(request, asOfToday(answer), mine[at]!) ?? []);
    found.set(kind, {count: recorded.length, differences});
  }
  return found;
}
