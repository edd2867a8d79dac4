import test from 'ava';
import {buildGroupVersionDocument} from '../../../../../core/api/openapi/group-version-document.js';
import type {GroupVersionInput, OpenApiNode} from '../../../../../core/api/openapi/openapi-input.js';
import {swaggerJson} from '../../../../../core/api/openapi/v2/swagger-json.js';
import {buildSwaggerPart, joinSwaggerParts, type SwaggerForm} from '../../../../../core/api/openapi/v2/swagger-part.js';
import {swaggerProtobuf} from '../../../../../core/api/openapi/v2/swagger-protobuf.js';
import {SchemaCatalog} from '../../../../../core/api/object-schema/schema-catalog.js';
import type {JsonSchema} from '../../../../../core/api/schema/json-schema.js';
import {resource, sampleInputs} from '../document-fixture.js';
import {readDocument, withoutZeros} from './document-reader.js';

interface Operation extends OpenApiNode {
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly OpenApiNode[];
  readonly responses: Readonly<Record<string, {schema?: OpenApiNode}>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly definitions: Readonly<Record<string, OpenApiNode & {properties: Record<string, OpenApiNode>}>>;
}

const frame = {title: 'Orch', serverVersion: 'v1.26.0'};
const {core, coordination, custom} = sampleInputs();

function documentOf(inputs: readonly GroupVersionInput[], form: SwaggerForm): Buffer {
  return joinSwaggerParts(
    frame,
    inputs.map((input) => buildSwaggerPart(input, form)),
    form,
  );
}

function customInput(spec: JsonSchema, group = 'odd.example.com'): GroupVersionInput {
  const schema = new SchemaCatalog().fromInline({type: 'object', properties: {spec}});
  return {...custom, group, resources: [resource('things', 'Thing', schema)]};
}

const json = JSON.parse(documentOf([core, coordination, custom], swaggerJson).toString()) as Document;

function* schemasIn(value: unknown): Generator<OpenApiNode> {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as OpenApiNode;
  yield schema;
  yield* schemasIn(schema['items']);
  yield* schemasIn(schema['additionalProperties']);
  for (const property of Object.values((schema['properties'] ?? {}) as object)) yield* schemasIn(property);
}

test('the document is one over all group versions, each path and definition of theirs once', (t) => {
  const documents = [core, coordination, custom].map(
    (input) => buildGroupVersionDocument(input) as {paths: object; components: {schemas: object}},
  );
  t.deepEqual(
    Object.keys(json.paths),
    documents.flatMap(({paths}) => Object.keys(paths)),
  );
  t.deepEqual(Object.keys(json.definitions), [...new Set(documents.flatMap(({components}) => Object.keys(components.schemas)))].sort());
  t.like(json, {swagger: '2.0', info: {title: 'Orch', version: 'v1.26.0'}});
});

test('every schema is of a shape that kubectl reads', (t) => {
  const bodies = Object.values(json.paths).flatMap((item) =>
    Object.values(item).flatMap(({parameters, responses}) => [
      ...(parameters ?? []).map(({schema}) => schema),
      ...Object.values(responses ?? {}).map(({schema}) => schema),
    ]),
  );
  let references = 0;
  for (const root of [...Object.values(json.definitions), ...bodies]) {
    for (const schema of schemasIn(root)) {
      if (schema['$ref'] !== undefined) {
        references += 1;
        t.true(Object.hasOwn(json.definitions, (schema['$ref'] as string).replace('#/definitions/', '')), String(schema['$ref']));
        t.deepEqual([schema['type'], schema['properties']], [undefined, undefined]);
      } else {
        t.true([undefined, 'object', 'array', 'string', 'integer', 'number', 'boolean'].includes(schema['type'] as string | undefined));
        if (schema['type'] === 'array') t.is(typeof schema['items'], 'object');
      }
      for (const word of ['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default', 'deprecated'])
        t.false(Object.hasOwn(schema, word), word);
    }
  }
  t.true(references > 100);
  t.false(JSON.stringify(json).includes('x-orch'));
  t.false(JSON.stringify(json).includes('#/components'));
});

test('kinds and merge markers are carried over', (t) => {
  t.deepEqual(json.definitions['io.k8s.api.core.v1.ConfigMap']?.['x-kubernetes-group-version-kind'], [
    {group: '', version: 'v1', kind: 'ConfigMap'},
  ]);
  t.like(json.definitions['io.k8s.api.core.v1.PodSpec']?.properties['containers'], {
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'name',
  });
  t.like(json.definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'], {type: 'string', format: 'int-or-string'});
  t.like(json.definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'], {type: 'string'});
  t.like(json.definitions['com.example.stable.v1.CronTab']?.properties['spec'], {type: 'object', description: 'What is wanted.'});
});

test('an operation has its media types, its body among its parameters, and the schemas of its answers', (t) => {
  const patch = json.paths['/api/v1/namespaces/{namespace}/configmaps/{name}']?.['patch'];
  t.true(patch?.consumes?.includes('application/strategic-merge-patch+json'));
  t.deepEqual(patch?.produces, ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
  t.deepEqual(patch?.parameters[0], {
    name: 'body',
    in: 'body',
    required: true,
    schema: {$ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Patch'},
  });
  t.like(
    patch?.parameters.find(({name}) => name === 'fieldValidation'),
    {in: 'query', type: 'string', uniqueItems: true, schema: undefined},
  );
  t.deepEqual(patch?.responses['200'], {description: 'OK', schema: {$ref: '#/definitions/io.k8s.api.core.v1.ConfigMap'}} as never);
  t.deepEqual(patch?.['x-kubernetes-group-version-kind'], {group: '', version: 'v1', kind: 'ConfigMap'});
  const get = json.paths['/api/v1/namespaces/{namespace}/configmaps/{name}']?.['get'];
  t.deepEqual([get?.consumes, get?.['x-kubernetes-action']], [undefined, 'get']);
});

test('the binary form says what the JSON form says', (t) => {
  const bytes = documentOf([core, coordination, custom], swaggerProtobuf);
  t.deepEqual(withoutZeros(readDocument(bytes)), withoutZeros(json));
});

test('the binary form carries every keyword of a schema, values of any kind, and text that is not well formed', (t) => {
  const spec: JsonSchema = {
    type: 'object',
    description: 'Ends in half a pair: \ud83d',
    title: 'Title',
    required: ['text'],
    minProperties: 1,
    maxProperties: 9,
    externalDocs: {description: 'More.', url: 'https://example.com'},
    example: {text: 'a', list: [1, null, true]},
    properties: {
      text: {type: 'string', format: 'hostname', pattern: '^[a-z"\\\\]+$', minLength: 1, maxLength: 4_294_967_296, enum: ['a', 'é', '😀']},
      number: {type: 'number', minimum: -1.5, maximum: 1e300, exclusiveMinimum: true, exclusiveMaximum: true, multipleOf: 0.5},
      list: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        'x-kubernetes-list-type': 'set',
        items: {type: 'integer', enum: [1, 2]},
      },
      map: {type: 'object', additionalProperties: {type: 'integer', format: 'int64'}},
      closed: {type: 'object', additionalProperties: false},
      free: {'x-kubernetes-preserve-unknown-fields': true},
      port: {
        'x-kubernetes-int-or-string': true,
        'x-kubernetes-validations': [{rule: 'self > 0', message: 'must be positive: "yes"\n# no comment'}],
      },
      ['__proto__']: {type: 'string'},
    },
  };
  const input = customInput(spec);
  const expected = JSON.parse(documentOf([input], swaggerJson).toString().replaceAll('\\ud83d"', '\ufffd"')) as Document;
  const read = readDocument(documentOf([input], swaggerProtobuf)) as unknown as Document;
  t.deepEqual(withoutZeros(read), withoutZeros(expected));
  const published = read.definitions['com.example.odd.v1.Thing']?.properties['spec'] as OpenApiNode & {
    properties: Record<string, OpenApiNode>;
  };
  t.like(published, {title: 'Title', minProperties: 1, maxProperties: 9, example: spec['example'], externalDocs: spec['externalDocs']});
  t.like(published.properties['text'], spec.properties!['text']!);
  t.like(published.properties['number'], spec.properties!['number']!);
  t.is(published.properties['closed']?.['additionalProperties'], false);
  t.true(Object.hasOwn(published.properties, '__proto__'));
});

test('a part that is made again fits the others, and shares with them what both define', (t) => {
  for (const form of [swaggerJson, swaggerProtobuf]) {
    const parts = [core, customInput({type: 'string'}), coordination].map((input) => buildSwaggerPart(input, form));
    const before = joinSwaggerParts(frame, parts, form);
    const name = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
    t.is(new Set(parts.map(({definitions}) => definitions.get(name))).size, 1);
    const changed = [parts[0]!, buildSwaggerPart(customInput({type: 'integer'}), form), parts[2]!];
    const after = joinSwaggerParts(frame, changed, form);
    t.false(after.equals(before));
    t.deepEqual(after, documentOf([core, customInput({type: 'integer'}), coordination], form));
  }
});

test('groups whose reversed names begin alike have definitions of their own', (t) => {
  const groups = ['gateway.networking.k8s.io', 'gateway.k8s.io', 'gateway'];
  const document = JSON.parse(
    documentOf(
      groups.map((group) => customInput({type: 'string', description: group}, group)),
      swaggerJson,
    ).toString(),
  ) as Document;
  const things = Object.entries(document.definitions).filter(([name]) => name.endsWith('.Thing'));
  t.deepEqual(
    things.map(([name, {properties}]) => [name, properties['spec']?.['description']]),
    [
      ['gateway.v1.Thing', 'gateway'],
      ['io.k8s.gateway.v1.Thing', 'gateway.k8s.io'],
      ['io.k8s.networking.gateway.v1.Thing', 'gateway.networking.k8s.io'],
    ],
  );
});
