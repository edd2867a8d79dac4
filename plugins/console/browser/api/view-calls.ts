import type {ResourceType} from './types.js';

/** A rule of a manifest, as in a ClusterRole. */
export interface ViewPermission {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What a view asks for, after it was looked at: nothing of it is a path. */
export interface ViewCall {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  readonly group: string;
  readonly version: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

/** Characters of what a view sends. */
const longestBody = 1_000_000;
const mostParameters = 20;
/** Answers to these do not end. */
const endless = ['watch', 'follow'];
const actions = ['get', 'create', 'update', 'patch', 'delete'] as const;

/** Reads what a view has sent, which may be anything. @throws Error */
export function readCall(data: unknown): ViewCall {
  const {action, target, body} = objectOf(data);
  const known = actions.find((each) => each === action);
  if (!known) throw new Error('there is no such call');
  const {group, version, resource, namespace = '', name = '', subresource = '', query = {}} = objectOf(target);
  const type = [
    matching(group, /^[a-z0-9.-]{0,253}$/),
    matching(version, /^v[a-z0-9]{1,62}$/),
    matching(resource, /^[a-z0-9.-]{1,253}$/),
  ] as const;
  const below = matching(subresource, /^[a-z]{0,63}$/);
  const parameters = Object.entries(objectOf(query));
  if (parameters.length > mostParameters || parameters.some(([key, value]) => typeof value !== 'string' || endless.includes(key)))
    throw new Error('the parameters are not such as a view may give');
  const sent = body === undefined ? undefined : objectOf(body);
  if (sent && JSON.stringify(sent).length > longestBody) throw new Error('what is sent is too large');
  const [place, own] = [segment(namespace), segment(name)];
  // Its path would be that of an object which is called so.
  if (below !== '' && own === '') throw new Error('a subresource is that of an object');
  return {
    verb: own === '' && known === 'get' ? 'list' : own === '' && known === 'delete' ? 'deletecollection' : known,
    group: type[0],
    version: type[1],
    resource: below === '' ? type[2] : `${type[2]}/${below}`,
    namespace: place,
    name: own,
    query: Object.fromEntries(parameters) as Record<string, string>,
    body: sent,
  };
}

/** Whether the manifest of a view lets it ask. Whether the user may is the server's to say. */
export function isDeclared({verb, group, resource, name}: ViewCall, permissions: readonly ViewPermission[]): boolean {
  const has = (values: readonly string[], value: string) => values.includes('*') || values.includes(value);
  return permissions.some(
    ({verbs, apiGroups, resources, resourceNames = []}) =>
      has(verbs, verb) && has(apiGroups, group) && has(resources, resource) && (resourceNames.length === 0 || resourceNames.includes(name)),
  );
}

/** Whether it is what it says, of a type that the server has: `secrets` as a subresource of a namespace, say, would be all secrets in it. */
export function isOfType({resource, namespace}: ViewCall, type: ResourceType | undefined): boolean {
  const [, subresource] = resource.split('/');
  if (!type || (namespace !== '' && !type.namespaced)) return false;
  return subresource === undefined || type.subresources.includes(subresource);
}

/** The request for it: each part is one segment of the path. */
export function pathOf({group, version, resource, namespace, name, query}: ViewCall): string {
  const [plural, subresource] = resource.split('/') as [string, string?];
  const parts = [
    ...(group === '' ? ['api'] : ['apis', group]),
    version,
    ...(namespace === '' ? [] : ['namespaces', namespace]),
    plural,
    ...(name === '' ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  const search = new URLSearchParams(query).toString();
  return `/${parts.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('an object is missing');
  return value as Record<string, unknown>;
}

function matching(value: unknown, form: RegExp): string {
  if (typeof value !== 'string' || !form.test(value) || value === '.' || value === '..') throw new Error('a name has not the form of one');
  return value;
}

/** Browsers take some segments for a way up. */
function segment(value: unknown): string {
  if (typeof value !== 'string' || value.length > 253 || /^\.{1,2}$/.test(value) || /[/\\%]/.test(value) || !value.isWellFormed())
    throw new Error('a name has not the form of one');
  return value;
}
