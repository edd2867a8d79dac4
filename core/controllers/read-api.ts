import {
  badRequest,
  pathNotFound,
  type AuthorizationAttributes,
  type JsonObject,
  type ListOptions,
  type ResourceClient,
  type UserInfo,
} from '../../sdk/index.js';
import {parseRequestInfo, type RequestInfo} from '../http/request/request-info.js';
import type {LocalAccess} from '../registry/local/local-access.js';
import type {Registry} from '../registry/registry.js';

export interface ApiReaderParts {
  readonly catalog: Registry['catalog'];
  /** Reads the server's own types, under the same account. */
  readonly client: ResourceClient;
  readonly user: UserInfo;
  /** Without it, everything is allowed. */
  readonly access?: LocalAccess;
}

const longestPath = 8192;
const listParameters = ['labelSelector', 'fieldSelector', 'continue', 'resourceVersion'] as const;

/** Answers a GET as clients of the server are answered: an aggregated group version takes precedence over types of the same name. @throws StatusError as `ServedApis.get` */
export async function readApi({catalog, client, user, access}: ApiReaderParts, path: string, signal: AbortSignal): Promise<JsonObject> {
  const {pathname, searchParams} = parsedPath(path);
  const info = parseRequestInfo('GET', pathname, searchParams);
  if (!info.isResourceRequest || info.verb === 'watch') throw pathNotFound();
  const {server} = catalog.aggregated(info.group, info.version) ?? {};
  if (!server) return readOwn(client, info, searchParams);
  // It answers nobody but clients.
  if (!server.ask) throw pathNotFound();
  await access?.require(attributesOf(user, info));
  return server.ask({method: 'GET', path, accept: 'application/json', user, signal});
}

async function readOwn(
  client: ResourceClient,
  {verb, group, version, resource, subresource, namespace, name}: RequestInfo,
  query: URLSearchParams,
): Promise<JsonObject> {
  const ref = {group, version, resource};
  const found =
    verb === 'list'
      ? await client.list(ref, namespace, listOptions(query))
      : await client.get(ref, namespace, name, subresource === '' ? {} : {subresource});
  return found as unknown as JsonObject;
}

/** @throws StatusError 400 */
function parsedPath(path: string): URL {
  const base = 'http://server.invalid';
  const url = path.length <= longestPath && path.startsWith('/') && URL.canParse(path, base) ? new URL(path, base) : undefined;
  // A path with two slashes at its beginning would be another host.
  if (url?.origin !== base) throw badRequest('this is no path of a request');
  return url;
}

function listOptions(query: URLSearchParams): ListOptions {
  const options: ListOptions = {};
  for (const parameter of listParameters) {
    const value = query.get(parameter);
    if (value !== null && value !== '') options[parameter] = value;
  }
  const limit = Number(query.get('limit') ?? 0);
  if (Number.isSafeInteger(limit) && limit > 0) options.limit = limit;
  return options;
}

function attributesOf(user: UserInfo, info: RequestInfo): AuthorizationAttributes {
  const {isResourceRequest, verb, path, group, version, resource, subresource, namespace, name} = info;
  return {user, verb, isResourceRequest, path, group, version, resource, subresource, namespace, name};
}
