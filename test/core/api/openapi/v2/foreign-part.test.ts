import test from 'ava';
import {withForeignParts} from '../../../../../core/api/openapi/v2/foreign-part.js';
import {swaggerJson} from '../../../../../core/api/openapi/v2/swagger-json.js';
import {joinSwaggerParts, type SwaggerPart} from '../../../../../core/api/openapi/v2/swagger-part.js';
import {swaggerProtobuf} from '../../../../../core/api/openapi/v2/swagger-protobuf.js';
import {testTask} from '../../../../helpers/test-task.js';

const frame = {title: 'test', serverVersion: 'v1'};
const group = 'shop.example.com';
const meta = {type: 'object', description: 'Metadata.', properties: {name: {type: 'string'}}};

/** A part of the server's own: one path, one definition. */
function ownPart(form = swaggerJson): SwaggerPart {
  return {paths: form.paths({'/own': {get: {responses: {}}}}), definitions: new Map([['meta.v1', form.definition('meta.v1', meta)]])};
}

function document(definitions: object, paths: object = {}) {
  const order = {schema: {$ref: '#/definitions/order'}};
  const get = {
    operationId: 'read',
    parameters: [{$ref: '#/parameters/name'}, {name: 'q', in: 'query', type: 'string'}],
    responses: {200: {description: 'OK', ...order}},
  };
  const text = JSON.stringify({
    swagger: '2.0',
    paths: {[`/apis/${group}/v1/orders/{name}`]: {get}, ...paths},
    parameters: {name: {name: 'name', in: 'path', type: 'string', required: true}},
    definitions,
  });
  return {group, version: 'v1', text};
}

interface Document {
  paths: Record<string, {get: {parameters: object[]; responses: Record<string, {schema: object}>}}>;
  definitions: Record<string, unknown>;
}

async function joined(...documents: ReturnType<typeof document>[]): Promise<Document> {
  const parts = await withForeignParts([ownPart()], documents, swaggerJson, testTask());
  return JSON.parse(joinSwaggerParts(frame, parts, swaggerJson).toString()) as Document;
}

const order = {type: 'object', properties: {metadata: {$ref: '#/definitions/meta.v1'}}};

test('equal definitions are shared, and those that nobody needs are left out', async (t) => {
  const {paths, definitions} = await joined(document({order, 'meta.v1': meta, unused: {type: 'string'}}));
  t.deepEqual(Object.keys(definitions), ['meta.v1', 'order']);
  const {get} = paths[`/apis/${group}/v1/orders/{name}`]!;
  t.deepEqual(get.parameters, [
    {name: 'name', in: 'path', type: 'string', required: true},
    {name: 'q', in: 'query', type: 'string'},
  ]);
  t.deepEqual(get.responses['200']!.schema, {$ref: '#/definitions/order'});
});

test('a definition that differs from one of its name is renamed, with all that refers to it and would differ then', async (t) => {
  const own = {...meta, description: 'Other metadata.'};
  const first = document({order, 'meta.v1': own});
  const {paths, definitions} = await joined(first, {...document({order, 'meta.v1': meta}), group: 'shop.example.com'});
  t.deepEqual(definitions['meta.v1'], meta);
  t.deepEqual(definitions['meta.v1_v2'], own);
  t.deepEqual(definitions['order'], {type: 'object', properties: {metadata: {$ref: '#/definitions/meta.v1_v2'}}});
  // The second document has the order that refers to what was there first.
  t.deepEqual(definitions['order_v2'], order);
  t.truthy(paths[`/apis/${group}/v1/orders/{name}`]);
});

test('only paths of the group version itself are taken', async (t) => {
  const get = {responses: {}};
  const others = {
    '/apis/apps/v1/deployments': {get},
    '/api/v1/pods': {get},
    [`/apis/${group}/v10/x`]: {get},
    '/metrics': {get},
    [`/apis/${group}/v1/`]: {get},
  };
  const {paths} = await joined(document({order, 'meta.v1': meta}, others));
  t.deepEqual(Object.keys(paths), ['/own', `/apis/${group}/v1/orders/{name}`, `/apis/${group}/v1/`]);
});

test('shapes that clients refuse do not reach them, in either form', async (t) => {
  const odd = document({
    order: {
      type: ['object', 'null'],
      description: 7,
      required: 'name',
      properties: {
        list: {type: 'array'},
        missing: {$ref: '#/definitions/none'},
        elsewhere: {$ref: 'https://example.com/x'},
        number: 5,
        big: {maxLength: 1e300},
      },
      additionalProperties: {$ref: '#/definitions/order'},
      'x-kubernetes-group-version-kind': [{group, version: 'v1', kind: 'Order'}],
    },
  });
  const {definitions} = await joined(odd);
  t.deepEqual(definitions['order'], {
    properties: {list: {}, missing: {}, elsewhere: {}, number: {}, big: {}},
    additionalProperties: {$ref: '#/definitions/order'},
    'x-kubernetes-group-version-kind': [{group, version: 'v1', kind: 'Order'}],
  });
  const parts = await withForeignParts([ownPart(swaggerProtobuf)], [odd], swaggerProtobuf, testTask());
  t.is(parts.length, 2);
  t.true(joinSwaggerParts(frame, parts, swaggerProtobuf).length > 100);
});

test('a document that cannot be read, or is nested beyond measure, adds nothing', async (t) => {
  const nested = `{"paths":{"/apis/${group}/v1/x":{"get":{"x-deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}}}}`;
  const texts = ['', '[]', 'null', '{"paths":[]}', '{"paths":{"/apis/shop.example.com/v1/x":7}}', nested];
  for (const text of texts) {
    const parts = await withForeignParts([ownPart()], [{group, version: 'v1', text}], swaggerJson, testTask());
    t.notThrows(() => JSON.parse(joinSwaggerParts(frame, parts, swaggerJson).toString()), text.slice(0, 40));
  }
});
