import type {GroupVersionKind} from '../../../sdk/index.js';
import type {GroupVersionInput, OpenApiNode, OpenApiResource, OpenApiSubresource} from './openapi-input.js';
import {operation, tagOf, type Action, type OperationTarget} from './operations.js';
import {commonParameters, nameParameter, namespaceParameter} from './parameters.js';
import {SchemaComponents} from './schema-components.js';
import {capitalised, operationGroup} from './schema-names.js';

const methods: Readonly<Record<Action, string>> = {
  get: 'get',
  list: 'get',
  post: 'post',
  put: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};
/** The operation for each verb of a resource. */
const actions: Readonly<Record<string, Action>> = {
  get: 'get',
  list: 'list',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deletecollection',
};
const collectionActions: readonly Action[] = ['list', 'post', 'deletecollection'];
const objectActions: readonly Action[] = ['get', 'put', 'patch', 'delete'];

/**
 * The OpenAPI v3 document of one group version: a path for each resource and subresource, and the schemas they refer to. Each call builds
 * it from uncompiled schemas; the caller keeps the text.
 */
export function buildGroupVersionDocument(input: GroupVersionInput): OpenApiNode {
  const components = new SchemaComponents(input);
  const prefix = pathPrefix(input);
  // Kubernetes publishes none for definitions alone.
  const hasTyped = input.resources.length === 0 || input.resources.some(({schema}) => schema.node.kubernetesSemantics);
  const paths: OpenApiNode = hasTyped ? {[`${prefix}/`]: discoveryPath(input, components)} : {};
  for (const resource of [...input.resources].sort((a, b) => (a.plural < b.plural ? -1 : 1)))
    addPaths(paths, prefix, input, resource, components);
  return {
    ...documentHead(input),
    paths,
    components: {schemas: components.all()},
  };
}

/** What documents begin with. */
export function documentHead({title, serverVersion}: {title: string; serverVersion: string}): OpenApiNode {
  return {openapi: '3.0.0', info: {title, version: serverVersion}};
}

/** The path of a group version: `/api/v1`, `/apis/apps/v1`. */
export function pathPrefix({group, version}: {group: string; version: string}): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function addPaths(
  paths: OpenApiNode,
  prefix: string,
  input: GroupVersionInput,
  resource: OpenApiResource,
  components: SchemaComponents,
): void {
  const {group, version} = input;
  const kind = {group, version, kind: resource.kind};
  const id = `${operationGroup(group, input.naming.groupSuffix)}${capitalised(version)}`;
  const scope = resource.namespaced ? 'Namespaced' : '';
  const folder = resource.namespaced ? `${prefix}/namespaces/{namespace}/${resource.plural}` : `${prefix}/${resource.plural}`;
  const parameters = [...(resource.namespaced ? [namespaceParameter] : []), ...commonParameters];
  const offered = new Set(resource.verbs.map((verb) => actions[verb]));
  const targetOf = (action: Action): OperationTarget => objectTarget(resource, kind, action, components);
  const add = (path: string, wanted: readonly Action[], name: string, pathParameters: readonly OpenApiNode[]): void => {
    const used = wanted.filter((action) => offered.has(action));
    if (used.length === 0) return;
    paths[path] = {
      ...Object.fromEntries(used.map((action) => [methods[action], operation(input, action, name, targetOf(action))])),
      parameters: pathParameters,
    };
  };
  add(folder, collectionActions, `${id}${scope}${resource.kind}`, parameters);
  add(`${folder}/{name}`, objectActions, `${id}${scope}${resource.kind}`, [nameParameter, ...parameters]);
  if (resource.namespaced) add(`${prefix}/${resource.plural}`, ['list'], `${id}${resource.kind}ForAllNamespaces`, commonParameters);
  for (const subresource of resource.subresources) {
    const path = subresourcePath(input, resource, subresource, kind, `${id}${scope}${resource.kind}`, components);
    if (path) paths[`${folder}/{name}/${subresource.name}`] = {...path, parameters: [nameParameter, ...parameters]};
  }
}

function objectTarget(resource: OpenApiResource, kind: GroupVersionKind, action: Action, components: SchemaComponents): OperationTarget {
  const {schema, listKind, selectableFields} = resource;
  const body = components.object(schema, kind, selectableFields);
  const answer =
    action === 'list'
      ? components.list(schema, kind, listKind, selectableFields)
      : action === 'delete' || action === 'deletecollection'
        ? components.meta('Status')
        : body;
  return {
    kind,
    body,
    answer,
    options: components.meta('DeleteOptions'),
    patch: components.meta('Patch'),
    kubernetesSemantics: resource.schema.node.kubernetesSemantics,
  };
}

function subresourcePath(
  input: GroupVersionInput,
  resource: OpenApiResource,
  subresource: OpenApiSubresource,
  ownKind: GroupVersionKind,
  name: string,
  components: SchemaComponents,
): OpenApiNode | undefined {
  const kind = subresource.kind ?? ownKind;
  const schema = subresource.schema ?? (subresource.kind ? undefined : resource.schema);
  const body = schema ? components.object(schema, kind) : {type: 'object'};
  const {kubernetesSemantics} = resource.schema.node;
  const target = {
    // Kubernetes says of custom resources that their scale is of their own kind.
    kind: kubernetesSemantics ? kind : ownKind,
    body,
    answer: body,
    options: components.meta('DeleteOptions'),
    patch: components.meta('Patch'),
    kubernetesSemantics,
  };
  const used = subresource.verbs.map((verb) => actions[verb]).filter((action) => action !== undefined);
  if (used.length === 0) return undefined;
  const suffix = subresource.name
    .split(/[^A-Za-z0-9]+/)
    .map(capitalised)
    .join('');
  return Object.fromEntries(used.map((action) => [methods[action], operation(input, action, `${name}${suffix}`, target)]));
}

function discoveryPath(input: GroupVersionInput, components: SchemaComponents): OpenApiNode {
  const id = `${operationGroup(input.group, input.naming.groupSuffix)}${capitalised(input.version)}`;
  return {
    get: {
      tags: [tagOf(input)],
      description: 'list the resources of this group version',
      operationId: `get${id}APIResources`,
      responses: {
        '200': {description: 'OK', content: {'application/json': {schema: components.meta('APIResourceList')}}},
        '401': {description: 'Unauthorized'},
      },
    },
  };
}
