import {
  isJsonObject,
  type AggregatedResource,
  type AggregatedSubresource,
  type JsonObject,
  type JsonValue,
  type NamingProfile,
  type ResponseKind,
} from '../../../sdk/index.js';
import {versionPath} from './api-service.js';
import {badAnswer, fetchDocument, type Kept} from './fetched.js';
import type {RemoteServer} from './remote-server.js';

/** The resources of a server by `GROUP/VERSION`. */
export type Resources = ReadonlyMap<string, readonly AggregatedResource[]>;

/** More than the largest servers have. */
const maximumBytes = 4 * 1024 * 1024;
const maximumResources = 1000;
const maximumNames = 100;
const timeoutMillis = 5000;
/** Names of resources, and what else is one word. */
const word = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** Aggregated discovery of a server. @returns undefined if it only has the older documents @throws as `fetchDocument` */
export async function fetchDiscovery(
  server: RemoteServer,
  naming: NamingProfile,
  kept: Kept<Resources> | undefined,
  signal: AbortSignal,
): Promise<Kept<Resources> | undefined> {
  const group = naming.group('apidiscovery.orch');
  const accept = ['v2', 'v2beta1'].map((version) => `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`).join(',');
  const request = {path: '/apis', accept, maximumBytes, timeoutMillis};
  const found = await fetchDocument<Resources | undefined>(server, request, kept, readGroups, signal);
  return found?.value === undefined ? undefined : {etag: found.etag, value: found.value};
}

/** The resources of one group version, from the document that every server has. @throws as `fetchDocument` */
export async function fetchResourceList(
  server: RemoteServer,
  place: {readonly group: string; readonly version: string},
  signal: AbortSignal,
): Promise<readonly AggregatedResource[]> {
  const request = {path: versionPath(place), accept: 'application/json', maximumBytes, timeoutMillis};
  const found = await fetchDocument(server, request, undefined, readResourceList, signal);
  return found?.value ?? badAnswer('the server does not have this group version');
}

function readGroups({kind, items}: JsonObject): Resources | undefined {
  // Servers that do not know the parameters of the media type answer with the older document.
  if (kind !== 'APIGroupDiscoveryList') return undefined;
  const found = new Map<string, readonly AggregatedResource[]>();
  for (const {metadata, versions} of objects(items)) {
    const group = isJsonObject(metadata) ? text(metadata['name']) : '';
    for (const {version, resources} of objects(versions)) found.set(`${group}/${text(version)}`, readResources(resources));
  }
  return found;
}

function readResources(list: JsonValue | undefined): AggregatedResource[] {
  return objects(list)
    .filter(({resource}) => isWord(resource))
    .map((entry) => ({
      resource: text(entry['resource']),
      responseKind: kindOf(entry['responseKind']),
      scope: entry['scope'] === 'Namespaced' ? 'Namespaced' : 'Cluster',
      singularResource: text(entry['singularResource']),
      verbs: words(entry['verbs']),
      ...namesOf(entry),
      ...subresourcesOf(
        objects(entry['subresources'])
          .filter(({subresource}) => isWord(subresource))
          .map((one) => ({
            subresource: text(one['subresource']),
            responseKind: kindOf(one['responseKind']),
            verbs: words(one['verbs']),
          })),
      ),
    }));
}

function readResourceList({kind, resources}: JsonObject): readonly AggregatedResource[] {
  if (kind !== 'APIResourceList') badAnswer(`the server answers ${JSON.stringify(text(kind))} instead of an APIResourceList`);
  const all = objects(resources).filter(({name}) => typeof name === 'string' && name.split('/').every(isWord));
  const subresources = new Map<string, AggregatedSubresource[]>();
  for (const entry of all) {
    const [main = '', subresource] = text(entry['name']).split('/');
    if (subresource === undefined) continue;
    const known = subresources.get(main) ?? [];
    known.push({subresource, responseKind: kindOf(entry), verbs: words(entry['verbs'])});
    subresources.set(main, known);
  }
  return all
    .filter(({name}) => !text(name).includes('/'))
    .map((entry) => ({
      resource: text(entry['name']),
      responseKind: kindOf(entry),
      scope: entry['namespaced'] === true ? 'Namespaced' : 'Cluster',
      singularResource: text(entry['singularName']),
      verbs: words(entry['verbs']),
      ...namesOf(entry),
      ...subresourcesOf(subresources.get(text(entry['name'])) ?? []),
    }));
}

function namesOf({shortNames, categories}: JsonObject): Pick<AggregatedResource, 'shortNames' | 'categories'> {
  const [short, other] = [words(shortNames), words(categories)];
  return {...(short.length > 0 ? {shortNames: short} : {}), ...(other.length > 0 ? {categories: other} : {})};
}

function subresourcesOf(subresources: readonly AggregatedSubresource[]): Pick<AggregatedResource, 'subresources'> {
  return subresources.length > 0 ? {subresources} : {};
}

function kindOf(value: JsonValue | undefined): ResponseKind {
  const {group, version, kind} = isJsonObject(value) ? value : {};
  return {group: text(group), version: text(version), kind: text(kind)};
}

function objects(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? list.slice(0, maximumResources).filter(isJsonObject) : [];
}

function words(list: JsonValue | undefined): string[] {
  return Array.isArray(list) ? list.slice(0, maximumNames).filter(isWord) : [];
}

function text(value: JsonValue | undefined): string {
  return isWord(value) ? value : '';
}

function isWord(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && word.test(value);
}
