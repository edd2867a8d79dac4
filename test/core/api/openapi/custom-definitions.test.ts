import test from 'ava';
import {buildGroupVersionDocument} from '../../../../core/api/openapi/group-version-document.js';
import type {OpenApiNode} from '../../../../core/api/openapi/openapi-input.js';
import {swaggerJson} from '../../../../core/api/openapi/v2/swagger-json.js';
import {buildSwaggerPart, joinSwaggerParts} from '../../../../core/api/openapi/v2/swagger-part.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import type {JsonSchema} from '../../../../core/api/schema/json-schema.js';
import {resource, sampleInputs} from './document-fixture.js';

// The cases of Kubernetes' own test of published definitions (k8s.io/apiextensions-apiserver, pkg/controller/openapi/builder, 1.26).

const {custom} = sampleInputs();
const kinds = {'x-kubernetes-group-version-kind': [{group: 'bar.example.com', version: 'v1', kind: 'Foo'}]};
const open = {'x-kubernetes-preserve-unknown-fields': true};
const intOrString = {'x-kubernetes-int-or-string': true};
const both = [{type: 'integer'}, {type: 'string'}];
const least = [{minimum: 42}];

function published(schema: JsonSchema): {v2: OpenApiNode; v3: OpenApiNode} {
  const input = {
    ...custom,
    group: 'bar.example.com',
    resources: [resource('foos', 'Foo', new SchemaCatalog().fromInline(schema))],
  };
  const v3 = buildGroupVersionDocument(input) as {components: {schemas: Record<string, OpenApiNode>}};
  const v2 = joinSwaggerParts({title: 't', serverVersion: 'v'}, [buildSwaggerPart(input, swaggerJson)], swaggerJson);
  const name = 'com.example.bar.v1.Foo';
  return {
    v2: withoutDescriptions((JSON.parse(v2.toString()) as {definitions: Record<string, OpenApiNode>}).definitions[name]!),
    v3: withoutDescriptions(v3.components.schemas[name]!),
  };
}

function withoutDescriptions(schema: OpenApiNode): OpenApiNode {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value))) as OpenApiNode;
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const typeMeta = {apiVersion: {type: 'string'}, kind: {type: 'string'}};
const ofV2 = {...typeMeta, metadata: {$ref: `#/definitions/${meta}`}};
const ofV3 = {...typeMeta, metadata: {allOf: [{$ref: `#/components/schemas/${meta}`}]}};

test('a kind of which nothing but its type is said has the fields of every object', (t) => {
  t.deepEqual(published({type: 'object'}), {
    v2: {type: 'object', properties: ofV2, ...kinds},
    v3: {type: 'object', properties: ofV3, ...kinds},
  });
});

test('of a kind that keeps unknown fields v2 says nothing but that it is an object, and v3 all', (t) => {
  const schema = {type: 'object', description: 'Any.', properties: {spec: {type: 'object', properties: {a: {type: 'string'}}}}, ...open};
  t.deepEqual(published(schema), {
    v2: {type: 'object', ...kinds},
    v3: {type: 'object', properties: {...ofV3, spec: schema.properties.spec}, ...open, ...kinds},
  });
});

test('fields that are numbers or texts, that are open, or that hold objects are published as Kubernetes publishes them', (t) => {
  const properties: Record<string, JsonSchema> = {
    'int-or-string-1': {...intOrString, anyOf: both},
    'int-or-string-2': {...intOrString, allOf: [{anyOf: both}, {anyOf: least}]},
    'int-or-string-3': {...intOrString, anyOf: both, allOf: [{anyOf: least}]},
    'int-or-string-4': {...intOrString, anyOf: least},
    'int-or-string-5': {...intOrString, anyOf: least, allOf: least},
    'int-or-string-6': intOrString,
    'preserve-unknown-fields': open,
    'embedded-object': {type: 'object', 'x-kubernetes-embedded-resource': true, ...open},
  };
  const {v2, v3} = published({type: 'object', properties});
  t.deepEqual(v2, {
    type: 'object',
    properties: {
      ...ofV2,
      ...Object.fromEntries(Object.keys(properties).map((name) => [name, name.startsWith('int') ? intOrString : open])),
      'embedded-object': {'x-kubernetes-embedded-resource': true, ...open},
    },
    ...kinds,
  });
  t.deepEqual(v3['properties'], {
    ...ofV3,
    ...properties,
    'int-or-string-4': {...intOrString, allOf: [{anyOf: both}], anyOf: least},
    'int-or-string-5': {...intOrString, anyOf: least, allOf: [{anyOf: both}, ...least]},
    'int-or-string-6': {...intOrString, anyOf: both},
    'embedded-object': {...properties['embedded-object'], required: ['kind', 'apiVersion'], properties: ofV3},
  });
});

test('the scale of a custom resource is of its kind, and its lists say too by which fields they are selected', (t) => {
  const schema = new SchemaCatalog().fromInline({type: 'object', properties: {spec: {type: 'object'}}});
  const scale = {name: 'scale', verbs: ['get', 'patch'], kind: {group: 'autoscaling', version: 'v1', kind: 'Scale'}} as const;
  const foos = resource('foos', 'Foo', schema, {subresources: [scale], selectableFields: ['spec.color']});
  const {paths, components} = buildGroupVersionDocument({...custom, group: 'bar.example.com', resources: [foos]}) as {
    paths: Record<string, {get: OpenApiNode}>;
    components: {schemas: Record<string, OpenApiNode>};
  };
  const kind = {group: 'bar.example.com', version: 'v1', kind: 'Foo'};
  t.deepEqual(paths['/apis/bar.example.com/v1/namespaces/{namespace}/foos/{name}/scale']?.get['x-kubernetes-group-version-kind'], kind);
  for (const name of ['Foo', 'FooList'])
    t.deepEqual(components.schemas[`com.example.bar.v1.${name}`]?.['x-kubernetes-selectable-fields'], [{fieldPath: 'spec.color'}], name);
});
