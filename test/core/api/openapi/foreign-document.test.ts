import test from 'ava';
import {documentFromV2} from '../../../../core/api/openapi/foreign-document.js';

const head = {openapi: '3.0.0', info: {title: 'Orch', version: 'v1'}};
const schema = (name: string) => ({$ref: `#/definitions/${name}`});
const document = {
  swagger: '2.0',
  paths: {
    '/apis/shop.example.com/v1/things': {
      parameters: [{$ref: '#/parameters/pretty'}],
      get: {
        operationId: 'listThings',
        produces: ['application/json', 'application/yaml'],
        parameters: [{name: 'limit', in: 'query', type: 'integer', format: 'int32', description: 'How many.'}],
        responses: {'200': {description: 'OK', schema: schema('ThingList')}, '401': {description: 'Unauthorized'}},
        'x-kubernetes-action': 'list',
      },
      post: {
        consumes: ['*/*'],
        parameters: [{name: 'body', in: 'body', required: true, schema: schema('Thing')}],
        responses: {'201': {description: 'Created', schema: schema('Thing')}},
      },
    },
    '/apis/other.example.com/v1/things': {get: {responses: {'200': {schema: schema('Other')}}}},
  },
  parameters: {pretty: {name: 'pretty', in: 'query', type: 'string', uniqueItems: true}},
  definitions: {
    Thing: {
      type: 'object',
      properties: {parts: {type: 'array', items: schema('Part')}, gone: schema('Nowhere')},
      'x-kubernetes-group-version-kind': [],
    },
    ThingList: {type: 'object', properties: {items: {type: 'array', items: schema('Thing')}}},
    Part: {type: 'string', nonsense: true},
    Other: {type: 'object'},
  },
};
const made = (text: string) => {
  const found = documentFromV2({group: 'shop.example.com', version: 'v1', text}, head);
  return found === undefined ? undefined : (JSON.parse(found) as Record<string, unknown>);
};

test('a document of OpenAPI v2 becomes one of v3: bodies are no parameters, answers have their types, references lead to components', (t) => {
  const found = (name: string) => ({$ref: `#/components/schemas/${name}`});
  t.deepEqual(made(JSON.stringify(document)), {
    ...head,
    paths: {
      '/apis/shop.example.com/v1/things': {
        parameters: [{name: 'pretty', in: 'query', schema: {type: 'string', uniqueItems: true}}],
        get: {
          operationId: 'listThings',
          'x-kubernetes-action': 'list',
          parameters: [{name: 'limit', in: 'query', description: 'How many.', schema: {type: 'integer', format: 'int32'}}],
          responses: {
            '200': {
              description: 'OK',
              content: {'application/json': {schema: found('ThingList')}, 'application/yaml': {schema: found('ThingList')}},
            },
            '401': {description: 'Unauthorized'},
          },
        },
        post: {
          parameters: [],
          requestBody: {required: true, content: {'*/*': {schema: found('Thing')}}},
          responses: {'201': {description: 'Created', content: {'application/json': {schema: found('Thing')}}}},
        },
      },
    },
    components: {
      schemas: {
        ThingList: {type: 'object', properties: {items: {type: 'array', items: found('Thing')}}},
        Thing: {
          type: 'object',
          properties: {parts: {type: 'array', items: found('Part')}, gone: {}},
          'x-kubernetes-group-version-kind': [],
        },
        Part: {type: 'string'},
      },
    },
  });
});

test('what has nothing about the group version, or cannot be read, becomes no document', (t) => {
  t.is(made('{'), undefined);
  t.is(made('[]'), undefined);
  t.is(made(JSON.stringify({paths: {'/apis/shop.example.com/v10/things': {}}})), undefined);
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  t.is(made(`{"paths":{"/apis/shop.example.com/v1/x":{"get":{"x-a":${deep}}}}}`), undefined);
  const odd = {paths: {'/apis/shop.example.com/v1/x': {get: 7, post: {parameters: 'none', responses: []}}}, definitions: 3};
  t.deepEqual(made(JSON.stringify(odd))!['paths'], {'/apis/shop.example.com/v1/x': {post: {parameters: [], responses: {}}}});
});
