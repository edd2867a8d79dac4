import {badRequest, pathNotFound} from '../../../sdk/index.js';
import {pathSegmentFaults} from '../../../sdk/validation/index.js';
import {parseFieldSelector} from '../../api/selectors/field-selector.js';

/** What a request is about, derived from method and path alone (Kubernetes' RequestInfo). */
export interface RequestInfo {
  readonly path: string;
  /** Path segments, decoded; without the `watch` of a watch path. */
  readonly segments: readonly string[];
  /** A path below `/api/VERSION` or `/apis/GROUP/VERSION` that names a resource type. */
  readonly isResourceRequest: boolean;
  /** Lower-case verb; for non-resource paths the lower-case HTTP method. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Segments after the subresource. */
  readonly rest: readonly string[];
  /** The part after `proxy`, as it was sent: it is the path on another server. */
  readonly tail: string;
  /** Whether the path addresses a type below one namespace; namespaces themselves do not count. */
  readonly inNamespace: boolean;
  /** Whether it is a watch in the deprecated form `/api/v1/watch/…`. */
  readonly isWatchPath: boolean;
}

const readVerbs: Readonly<Record<string, string>> = {GET: 'get', HEAD: 'get'};
const writeVerbs: Readonly<Record<string, string>> = {POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete'};
/** Parts of a namespace that are subresources of it rather than resource types inside it. */
const namespaceSubresources = new Set(['status', 'finalize']);
/** The part of a path that names the proxy's target. */
const proxyHead = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/proxy(?=\/)/;

/**
 * Reads method, path and query of a request.
 *
 * @throws 400 for escapes that are not UTF-8, 404 for segments that cannot be names (`.`, `..`, an escaped slash)
 */
export function parseRequestInfo(method: string, path: string, query: {get(name: string): string | null}): RequestInfo {
  const head = path.includes('/proxy/') ? (proxyHead.exec(path)?.[0] ?? path) : path;
  const sent = splitPath(head);
  const watch = method === 'GET' && isWatchPath(sent);
  const segments = watch ? sent.toSpliced(versionDepth(sent), 1) : sent;
  const parts = apiParts(segments);
  if (!parts) return {...noResource(path, segments), verb: method.toLowerCase()};
  const {group, version, rest} = parts;
  const {resource, subresource, namespace, name, rest: behind, inNamespace} = resourcePlace(rest);
  return {
    path,
    segments,
    isResourceRequest: true,
    verb: watch ? 'watch' : verbOf(method, name, subresource, query),
    group,
    version,
    resource,
    subresource,
    namespace,
    name: name || selectedName(method, query),
    rest: behind,
    inNamespace,
    tail: head.length === path.length ? '' : path.slice(head.length),
    isWatchPath: watch,
  };
}

function splitPath(path: string): string[] {
  if (path === '/' || path === '') return [];
  const isEscaped = path.includes('%');
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  const segments: string[] = [];
  // Not by `split`, which looks for the path among those that it has split before, and finds no name twice.
  for (let from = 1; from <= end;) {
    const slash = path.indexOf('/', from);
    const to = slash < 0 ? end : slash;
    const segment = path.slice(from, to);
    segments.push(isEscaped ? unescaped(segment) : segment);
    from = to + 1;
  }
  for (const segment of segments) if (segment === '' || segment === '.' || segment === '..') throw pathNotFound();
  return segments;
}

function unescaped(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    if (text.includes('/')) throw pathNotFound();
    return text;
  } catch (error) {
    if (error instanceof URIError) throw badRequest(`the path holds an escape that is not UTF-8: ${JSON.stringify(segment)}`);
    throw error;
  }
}

/** Index of the first segment after the version. */
function versionDepth(segments: readonly string[]): number {
  return segments[0] === 'api' ? 2 : 3;
}

/**
 * `/api/v1/watch/…` and `/apis/GROUP/VERSION/watch/…`: a watch of what the path without that part names. It is deprecated in favour of
 * `watch=1`, but some clients use only this form (kubeclient for Ruby). If a name follows, it hides a type with the plural `watch`, as in
 * Kubernetes.
 */
function isWatchPath(segments: readonly string[]): boolean {
  const depth = versionDepth(segments);
  return (segments[0] === 'api' || segments[0] === 'apis') && segments[depth] === 'watch' && segments.length > depth + 1;
}

function apiParts(segments: readonly string[]): {group: string; version: string; rest: readonly string[]} | undefined {
  if (segments[0] === 'api' && segments.length > 2) return {group: '', version: segments[1]!, rest: segments.slice(2)};
  if (segments[0] === 'apis' && segments.length > 3) return {group: segments[1]!, version: segments[2]!, rest: segments.slice(3)};
  return undefined;
}

const nothing: readonly string[] = [];

type Place = Pick<RequestInfo, 'resource' | 'subresource' | 'namespace' | 'name' | 'rest' | 'inNamespace'>;

function resourcePlace(parts: readonly string[]): Place {
  if (parts[0] === 'namespaces' && parts.length > 2 && !namespaceSubresources.has(parts[2]!)) {
    return {
      namespace: parts[1]!,
      resource: parts[2]!,
      name: parts[3] ?? '',
      subresource: parts[4] ?? '',
      rest: parts.length > 5 ? parts.slice(5) : nothing,
      inNamespace: true,
    };
  }
  const namespace = parts[0] === 'namespaces' ? (parts[1] ?? '') : '';
  return {
    namespace,
    resource: parts[0]!,
    name: parts[1] ?? '',
    subresource: parts[2] ?? '',
    rest: parts.length > 3 ? parts.slice(3) : nothing,
    inNamespace: false,
  };
}

function verbOf(method: string, name: string, subresource: string, query: {get(name: string): string | null}): string {
  const collection = name === '';
  if (readVerbs[method]) {
    if (subresource !== '') return 'get';
    // A HEAD of a watch is that of the list or object: there is nothing to stream.
    if (method === 'GET' && isTrue(query.get('watch'))) return 'watch';
    return collection ? 'list' : 'get';
  }
  const verb = writeVerbs[method] ?? method.toLowerCase();
  return verb === 'delete' && collection ? 'deletecollection' : verb;
}

/** A list or watch narrowed to one name by a field selector is authorized as one of that name, whatever else the selector says. */
function selectedName(method: string, query: {get(name: string): string | null}): string {
  if (!readVerbs[method]) return '';
  const text = query.get('fieldSelector') ?? '';
  if (!text.includes('metadata.name')) return '';
  try {
    const name = parseFieldSelector(text).exactValue('metadata.name') ?? '';
    return pathSegmentFaults(name).length === 0 ? name : '';
  } catch {
    // It is refused where the objects are read.
    return '';
  }
}

/** Boolean query parameters as Kubernetes reads them: present without value counts as true. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0' && value.toLowerCase() !== 'f';
}

function noResource(path: string, segments: readonly string[]): Omit<RequestInfo, 'verb'> {
  return {
    path,
    segments,
    isResourceRequest: false,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
    rest: [],
    tail: '',
    inNamespace: false,
    isWatchPath: false,
  };
}
