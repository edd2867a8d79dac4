import test from 'ava';
import {swaggerDefinition, swaggerSchema} from '../../../../../core/api/openapi/v2/swagger-schema.js';

const component = '#/components/schemas/io.k8s.api.core.v1.Pod';
const definition = '#/definitions/io.k8s.api.core.v1.Pod';

test('a reference leads to the definitions, with its description and extensions beside it and nothing else', (t) => {
  t.deepEqual(swaggerSchema({$ref: component}), {$ref: definition});
  t.deepEqual(
    swaggerSchema({type: 'object', default: {}, description: 'A pod.', 'x-kubernetes-map-type': 'atomic', allOf: [{$ref: component}]}),
    {$ref: definition, description: 'A pod.', 'x-kubernetes-map-type': 'atomic'},
  );
});

test('a whole number or a text is a text of a format of its own', (t) => {
  t.deepEqual(swaggerSchema({format: 'int-or-string', oneOf: [{type: 'integer'}, {type: 'string'}]}), {
    type: 'string',
    format: 'int-or-string',
  });
  t.deepEqual(swaggerSchema({description: 'A quantity.', oneOf: [{type: 'string'}, {type: 'number'}]}), {
    type: 'string',
    description: 'A quantity.',
  });
  t.deepEqual(swaggerSchema({'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}], pattern: '^a'}), {
    'x-kubernetes-int-or-string': true,
    pattern: '^a',
  });
});

test('defaults, alternatives and words that v2 does not have are left out', (t) => {
  t.deepEqual(
    swaggerSchema({
      type: 'integer',
      default: 3,
      deprecated: true,
      minimum: 0,
      exclusiveMinimum: true,
      enum: [1, 2],
      oneOf: [{minimum: 1}],
      anyOf: [{maximum: 2}],
      not: {minimum: 7},
      allOf: [{minimum: 1}, {maximum: 3}],
    }),
    {type: 'integer', minimum: 0, exclusiveMinimum: true, enum: [1, 2]},
  );
});

test('what may be null has no type and is not required', (t) => {
  t.deepEqual(
    swaggerSchema({
      type: 'object',
      required: ['may', 'must'],
      properties: {
        may: {type: 'object', nullable: true, properties: {a: {type: 'string'}}},
        list: {type: 'array', nullable: true, items: {type: 'string'}},
        must: {type: 'boolean'},
      },
    }),
    {type: 'object', required: ['must'], properties: {may: {}, list: {}, must: {type: 'boolean'}}},
  );
  t.deepEqual(swaggerSchema({type: 'object', required: ['may'], properties: {may: {nullable: true}}}), {
    type: 'object',
    properties: {may: {}},
  });
});

test('where unknown fields are kept neither fields nor a type are named', (t) => {
  const open = {'x-kubernetes-preserve-unknown-fields': true};
  t.deepEqual(swaggerSchema({type: 'object', properties: {a: {type: 'string'}}, ...open}), open);
  t.deepEqual(swaggerSchema({type: 'array', items: {type: 'string'}, ...open}), open);
  t.deepEqual(swaggerSchema({type: 'string', ...open}), {type: 'string', ...open});
  t.deepEqual(swaggerSchema({type: 'object', required: ['a'], properties: {a: {type: 'string', nullable: true}}, ...open}), {
    required: ['a'],
    ...open,
  });
  t.deepEqual(swaggerSchema({type: 'object', additionalProperties: {type: 'object', properties: {b: {type: 'string'}}, ...open}}), {
    type: 'object',
    additionalProperties: open,
  });
});

test('of a kind whose objects may have any fields nothing is said but that it is an object', (t) => {
  const kinds = {'x-kubernetes-group-version-kind': [{group: 'g', version: 'v1', kind: 'K'}]};
  const properties = {spec: {type: 'object'}};
  t.deepEqual(
    swaggerDefinition({type: 'object', description: 'Any.', properties, 'x-kubernetes-preserve-unknown-fields': true, ...kinds}),
    {type: 'object', ...kinds},
  );
  t.deepEqual(swaggerDefinition({type: 'object', properties, ...kinds}), {type: 'object', properties, ...kinds});
});

test('lists have a schema of their items, and a schema has one type or none', (t) => {
  t.deepEqual(swaggerSchema({type: 'array', items: {$ref: component}}), {type: 'array', items: {$ref: definition}});
  t.deepEqual(swaggerSchema({type: 'array', description: 'Of anything.'}), {description: 'Of anything.'});
  t.deepEqual(swaggerSchema({type: ['string', 'null']}), {});
  t.deepEqual(swaggerSchema({type: 'null'}), {});
});

test('additional properties are a schema or a yes or no', (t) => {
  t.deepEqual(swaggerSchema({type: 'object', additionalProperties: false}), {type: 'object', additionalProperties: false});
  t.deepEqual(swaggerSchema({type: 'object', additionalProperties: {$ref: component}}), {
    type: 'object',
    additionalProperties: {$ref: definition},
  });
});

test('properties named as members of every object are properties like others', (t) => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string","default":"x"},"constructor":{"type":"integer"}},"required":["toString"]}',
  ) as Record<string, unknown>;
  t.is(
    JSON.stringify(swaggerSchema(schema)),
    '{"type":"object","required":["toString"],"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}',
  );
});
