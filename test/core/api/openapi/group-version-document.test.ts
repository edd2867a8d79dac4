import test from 'ava';
import {buildGroupVersionDocument} from '../../../../core/api/openapi/group-version-document.js';
import {buildOpenApiIndex, documentHash} from '../../../../core/api/openapi/openapi-index.js';
import type {OpenApiNode} from '../../../../core/api/openapi/openapi-input.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {resource, sampleInputs} from './document-fixture.js';

interface Operation extends OpenApiNode {
  operationId: string;
  parameters: {name: string}[];
  requestBody?: {content: Record<string, unknown>};
  responses: Record<string, {content?: Record<string, {schema: {$ref?: string}}>}>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {schemas: Record<string, OpenApiNode & {properties: Record<string, OpenApiNode>}>};
}

const inputs = sampleInputs();
const core = buildGroupVersionDocument(inputs.core) as unknown as Document;
const custom = buildGroupVersionDocument(inputs.custom) as unknown as Document;
const coordination = buildGroupVersionDocument(inputs.coordination) as unknown as Document;

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') yield member;
    else yield* referencesIn(member);
  }
}

test('every reference leads to a component of the same document, and every component is referred to', (t) => {
  for (const document of [core, custom, coordination]) {
    const names = new Set([...referencesIn(document)].map((reference) => reference.replace('#/components/schemas/', '')));
    t.deepEqual([...names].sort(), Object.keys(document.components.schemas).sort());
  }
});

test('nothing of our own extensions is published', (t) => {
  for (const document of [core, custom, coordination]) t.false(JSON.stringify(document).includes('x-orch'));
  t.false(JSON.stringify(coordination).includes('coordination.orch'));
});

test('schemas have the names and kinds that clients know', (t) => {
  const {schemas} = core.components;
  t.deepEqual(schemas['io.k8s.api.core.v1.ConfigMap']?.['x-kubernetes-group-version-kind'], [
    {group: '', version: 'v1', kind: 'ConfigMap'},
  ]);
  t.truthy(schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']);
  t.truthy(schemas['io.k8s.apimachinery.pkg.api.resource.Quantity']);
  t.truthy(schemas['io.k8s.api.core.v1.ConfigMapList']);
  t.deepEqual(coordination.components.schemas['io.k8s.api.coordination.v1.Lease']?.['x-kubernetes-group-version-kind'], [
    {group: 'coordination.k8s.io', version: 'v1', kind: 'Lease'},
  ]);
  t.deepEqual(custom.components.schemas['com.example.stable.v1.CronTab']?.['x-kubernetes-group-version-kind'], [
    {group: 'stable.example.com', version: 'v1', kind: 'CronTab'},
  ]);
});

test('merge markers, descriptions and required fields are carried over', (t) => {
  const spec = core.components.schemas['io.k8s.api.core.v1.PodSpec'];
  t.like(spec?.properties['containers'], {'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name'});
  t.deepEqual(spec?.['required'], ['containers']);
  t.truthy(core.components.schemas['io.k8s.api.core.v1.ConfigMap']?.properties['data']?.['description']);
});

test('a custom resource has its type and metadata besides what its schema says, and a list', (t) => {
  const cronTab = custom.components.schemas['com.example.stable.v1.CronTab'];
  t.deepEqual(Object.keys(cronTab?.properties ?? {}), ['apiVersion', 'kind', 'metadata', 'spec']);
  t.like(cronTab, {description: 'A table of jobs.', type: 'object'});
  t.truthy(custom.components.schemas['com.example.stable.v1.CronTabList']);
});

test('a whole object inside a custom resource has its type and metadata', (t) => {
  const template = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    required: ['spec'],
    properties: {metadata: {type: 'object'}, spec: {type: 'string'}},
  };
  const schema = new SchemaCatalog().fromInline({type: 'object', properties: {template}});
  const document = buildGroupVersionDocument({...inputs.custom, resources: [resource('jobs', 'Job', schema)]}) as unknown as Document;
  const published = document.components.schemas['com.example.stable.v1.Job']?.properties['template'] as {
    required: string[];
    properties: Record<string, OpenApiNode>;
  };
  t.deepEqual(Object.keys(published.properties), ['apiVersion', 'kind', 'metadata', 'spec']);
  t.like(published.properties['metadata'], {allOf: [{$ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}]});
  t.deepEqual(published.required, ['spec', 'kind', 'apiVersion']);
});

test('two kinds with one schema in a file have definitions and lists of their own', (t) => {
  const catalog = new SchemaCatalog();
  catalog.add('shapes', () => ({
    group: 'shapes.example.com',
    version: 'v1',
    definitions: {Shape: {type: 'object', properties: {spec: {type: 'string'}}}},
  }));
  const schema = catalog.schema('shapes#/definitions/Shape');
  const resources = [resource('circles', 'Circle', schema), resource('squares', 'Square', schema)];
  const {schemas} = (buildGroupVersionDocument({...inputs.custom, group: 'shapes.example.com', catalog, resources}) as unknown as Document)
    .components;
  for (const kind of ['Circle', 'CircleList', 'Square', 'SquareList']) {
    t.deepEqual(schemas[`com.example.shapes.v1.${kind}`]?.['x-kubernetes-group-version-kind'], [
      {group: 'shapes.example.com', version: 'v1', kind},
    ]);
  }
});

test('namespaced and cluster-wide resources and subresources have their paths and operations', (t) => {
  t.deepEqual(
    Object.keys(core.paths).filter((path) => /configmaps|namespaces($|\/\{name\})/.test(path)),
    [
      '/api/v1/namespaces/{namespace}/configmaps',
      '/api/v1/namespaces/{namespace}/configmaps/{name}',
      '/api/v1/configmaps',
      '/api/v1/namespaces',
      '/api/v1/namespaces/{name}',
      '/api/v1/namespaces/{name}/status',
    ],
  );
  const object = core.paths['/api/v1/namespaces/{namespace}/configmaps/{name}'];
  t.deepEqual(
    ['get', 'put', 'patch', 'delete'].map((method) => [object?.[method]?.operationId, object?.[method]?.['x-kubernetes-action']]),
    [
      ['readCoreV1NamespacedConfigMap', 'get'],
      ['replaceCoreV1NamespacedConfigMap', 'put'],
      ['patchCoreV1NamespacedConfigMap', 'patch'],
      ['deleteCoreV1NamespacedConfigMap', 'delete'],
    ],
  );
  t.deepEqual(object?.['patch']?.['x-kubernetes-group-version-kind'], {group: '', version: 'v1', kind: 'ConfigMap'});
});

test('operation ids are unique', (t) => {
  for (const document of [core, custom, coordination]) {
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).flatMap((operation) => operation.operationId ?? []));
    t.is(new Set(ids).size, ids.length);
  }
});

test('writes take dryRun, fieldManager and fieldValidation, patches force as well', (t) => {
  const names = (operation: Operation | undefined): string[] => (operation?.parameters ?? []).map(({name}) => name);
  const object = core.paths['/api/v1/namespaces/{namespace}/configmaps/{name}'];
  t.deepEqual(names(object?.['patch']), ['dryRun', 'fieldManager', 'fieldValidation', 'force']);
  t.deepEqual(names(object?.['put']), ['dryRun', 'fieldManager', 'fieldValidation']);
  const folder = core.paths['/api/v1/namespaces/{namespace}/configmaps'];
  for (const name of ['labelSelector', 'limit', 'continue', 'watch', 'resourceVersionMatch']) t.true(names(folder?.['get']).includes(name));
});

test('a custom resource takes neither strategic merge patch nor the binary form', (t) => {
  const types = (document: Document, path: string, method: string): string[] =>
    Object.keys(document.paths[path]?.[method]?.requestBody?.content ?? {});
  const path = '/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}';
  t.deepEqual(types(custom, path, 'patch'), [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
  ]);
  t.deepEqual(types(custom, path, 'put'), ['application/json', 'application/yaml']);
  t.true(types(core, '/api/v1/namespaces/{name}', 'patch').includes('application/strategic-merge-patch+json'));
  t.true(types(core, '/api/v1/namespaces/{name}', 'put').includes('application/vnd.kubernetes.protobuf'));
});

test('the same input gives the same text and the same hash', (t) => {
  const again = JSON.stringify(buildGroupVersionDocument(sampleInputs().core));
  t.is(documentHash(again), documentHash(JSON.stringify(core)));
  t.not(documentHash(again), documentHash(`${again} `));
});

test('the index leads to each group version by the hash of its document', (t) => {
  t.deepEqual(
    buildOpenApiIndex([
      {group: '', version: 'v1', hash: 'AB'},
      {group: 'apps', version: 'v1', hash: 'CD'},
    ]),
    {
      paths: {
        'api/v1': {serverRelativeURL: '/openapi/v3/api/v1?hash=AB'},
        'apis/apps/v1': {serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=CD'},
      },
    },
  );
});
