import {startTestServer} from '@orch-api/orch/testing';
import {catalogueTypes, type CatalogueType} from '../../test/catalogue/catalogue-types.js';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {readKubeconfig} from '../../test/helpers/kubeconfig.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {namingProfileNamed} from '../../core/api/naming/create-naming-profile.js';
import {answerOf, type Answer} from './answers.js';
import {differenceOf, type Difference} from './differences.js';
import {commonFlags} from './real-server.js';
import {readRecorded} from './recorded.js';
import {baseObject, collectionOf, makeRequests, type ComparedType, type CompareRequest} from './requests.js';
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
    types.push({...type, schemas: document.components.schemas});
  }
  return {types, missing: theirs.map(key).filter((one) => !has.has(one))};
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

export function requestsFor(types: readonly ComparedType[], count: number, seed: number): CompareRequest[] {
  return makeRequests(types, naming, count, seed);
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
      const {method, path, body} = requests[at]!;
      const type = method === 'POST' ? 'application/json' : 'application/merge-patch+json';
      answers[at] = answerOf(await client.request(method, path, {body, headers: {...headers, 'content-type': type}}));
      progress(++done);
    }
  };
  await Promise.all(Array.from({length: parallel}, work));
  return answers;
}

/** Sends what was recorded of a release to a server of our own. @returns all differences, known ones too */
export async function compareRecorded(
  t: Teardown,
  release: string,
  isWanted: (request: CompareRequest) => boolean = () => true,
): Promise<Comparison> {
  const own = await startOwnServer(t, release);
  const recorded = readRecorded(release).filter(({request}) => isWanted(request));
  const {types} = await comparedTypes(own, own, {});
  await makeBases(own, types, {});
  const mine = await send(
    own,
    recorded.map(({request}) => request),
    {},
  );
  return {count: recorded.length, differences: recorded.flatMap(({request, answer}, at) => differenceOf(request, answer, mine[at]!) ?? [])};
}
