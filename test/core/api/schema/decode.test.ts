import test from 'ava';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {decoded, specSchema, texts} from './catalog-fixture.js';

const spec = specSchema({
  type: 'object',
  properties: {
    replicas: {type: 'integer', format: 'int32'},
    ratio: {type: 'number'},
    name: {type: 'string'},
    on: {type: 'boolean'},
    port: {'x-kubernetes-int-or-string': true},
    containers: {type: 'array', items: {type: 'object', properties: {name: {type: 'string'}, image: {type: 'string'}}}},
    labels: {type: 'object', additionalProperties: {type: 'string'}},
    open: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {known: {type: 'object', properties: {a: {type: 'string'}}}},
    },
  },
});

test('unknown fields are dropped and reported by their paths', (t) => {
  const {object, unknown, faults} = decoded(spec, {
    apiVersion: 'v1',
    kind: 'K',
    metadata: {name: 'n', colour: 'red'},
    top: 1,
    spec: {foo: 1, containers: [{name: 'a', bar: 2}, {baz: 3}], labels: {x: 'y'}},
  });
  t.deepEqual(faults, []);
  t.deepEqual(unknown, ['metadata.colour', 'top', 'spec.foo', 'spec.containers[0].bar', 'spec.containers[1].baz']);
  t.deepEqual(object, {
    apiVersion: 'v1',
    kind: 'K',
    metadata: {name: 'n'},
    spec: {containers: [{name: 'a'}, {}], labels: {x: 'y'}},
  } as never);
});

test('unknown fields are kept where the schema preserves them, and dropped again inside a property that it specifies', (t) => {
  const {object, unknown} = decoded(spec, {spec: {open: {any: {deep: null}, known: {a: 'b', c: 'd'}}}});
  t.deepEqual(unknown, ['spec.open.known.c']);
  t.deepEqual(object, {spec: {open: {any: {deep: null}, known: {a: 'b'}}}} as never);
});

test('values of another type are faults in typed parts, and left for validation elsewhere', (t) => {
  const {faults, isMistyped, object} = decoded(spec, {metadata: {name: 5, labels: {a: true}}, spec: {replicas: 'string', name: 1}});
  t.deepEqual(faults, [
    'metadata.name: Invalid value: "integer": metadata.name in body must be of type string: "integer"',
    'metadata.labels.a: Invalid value: "boolean": metadata.labels.a in body must be of type string: "boolean"',
  ]);
  t.true(isMistyped);
  t.deepEqual(object['spec'], {replicas: 'string', name: 1});
});

const mistyped = (spec_: object) => {
  const {object, isMistyped, faults} = decoded(spec, {spec: spec_});
  return {isMistyped, texts: [...faults, ...texts(spec.validate(object))]};
};

test('a value of another type is a fault with the words of Kubernetes', (t) => {
  const given = {replicas: 'string', ratio: 'x', name: 1, on: 'true', port: 1.5, containers: {}, labels: {k: {}}};
  t.deepEqual(mistyped(given), {
    isMistyped: true,
    texts: [
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
      'spec.ratio: Invalid value: "string": spec.ratio in body must be of type number: "string"',
      'spec.name: Invalid value: "integer": spec.name in body must be of type string: "integer"',
      'spec.on: Invalid value: "string": spec.on in body must be of type boolean: "string"',
      'spec.port: Invalid value: "number": spec.port in body must be of type integer,string: "number"',
      'spec.containers: Invalid value: "object": spec.containers in body must be of type array: "object"',
      'spec.labels.k: Invalid value: "object": spec.labels.k in body must be of type string: "object"',
    ],
  });
});

test('integers may be numbers without a fraction or bigint, and nothing else', (t) => {
  for (const value of [3, 3.0, -1, 2n, 2n ** 40n]) t.deepEqual(mistyped({replicas: value}), {isMistyped: false, texts: []}, String(value));
  for (const value of [3.5, '3', true, [], {}, Number.NaN]) {
    const result = mistyped({replicas: value});
    t.deepEqual([result.isMistyped, result.texts.length], [true, 1], String(value));
  }
});

test('an int-or-string takes integers and texts', (t) => {
  for (const value of [80, 80n, 'http', '']) t.deepEqual(mistyped({port: value}), {isMistyped: false, texts: []});
  for (const value of [1.5, true, [], {}]) {
    const result = mistyped({port: value});
    t.deepEqual([result.isMistyped, result.texts.length], [true, 1]);
  }
});

test('a null is dropped where it may not stand and kept where it may', (t) => {
  const schema = specSchema({
    type: 'object',
    properties: {
      foo: {type: 'string', default: 'default'},
      bar: {type: 'string', nullable: true},
      baz: {type: 'string'},
      map: {type: 'object', additionalProperties: {type: 'string'}},
      nullableMap: {type: 'object', additionalProperties: {type: 'string', nullable: true}},
    },
  });
  const {object, faults, unknown} = decoded(schema, {
    spec: {foo: null, bar: null, baz: null, map: {a: null, b: 'x'}, nullableMap: {a: null}},
  });
  t.deepEqual([faults, unknown], [[], []]);
  schema.applyDefaults(object);
  t.deepEqual(object, {spec: {foo: 'default', bar: null, map: {b: 'x'}, nullableMap: {a: null}}} as never);
});

test('a null item of a list is a fault unless items may be null', (t) => {
  const strict = specSchema({type: 'array', items: {type: 'string'}});
  const lenient = specSchema({type: 'array', items: {type: 'string', nullable: true}});
  t.true(decoded(strict, {spec: ['a', null]}).isMistyped);
  t.deepEqual(texts(strict.validate({spec: ['a', null]})), [
    'spec[1]: Invalid value: "null": spec[1] in body must be of type string: "null"',
  ]);
  t.false(decoded(lenient, {spec: ['a', null]}).isMistyped);
  t.deepEqual(texts(lenient.validate({spec: ['a', null]})), []);
});

test('a null item of a list gets the default of items that may not be null', (t) => {
  const schema = specSchema({type: 'array', items: {type: 'string', default: 'd'}});
  const {object, isMistyped} = decoded(schema, {spec: ['a', null]});
  schema.applyDefaults(object);
  t.deepEqual([isMistyped, object], [false, {spec: ['a', 'd']}]);
  const nullable = specSchema({type: 'array', items: {type: 'string', default: 'd', nullable: true}});
  const kept = decoded(nullable, {spec: ['a', null]});
  nullable.applyDefaults(kept.object);
  t.deepEqual(kept.object, {spec: ['a', null]});
});

test('members named like members of every object are data', (t) => {
  const body = JSON.parse('{"spec": {"labels": {"__proto__": "p", "constructor": "c"}, "__proto__": {"x": 1}, "toString": 1}}') as object;
  const {object, unknown} = decoded(spec, body);
  t.deepEqual(unknown, ['spec.__proto__', 'spec.toString']);
  t.is(JSON.stringify(object), '{"spec":{"labels":{"__proto__":"p","constructor":"c"}}}');
  t.is(({} as Record<string, unknown>)['x'], undefined);
});

test('objects inside objects are decoded as resources: their metadata too, whatever the schema says', (t) => {
  const schema = specSchema({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: {spec: {type: 'object', properties: {a: {type: 'string'}}}},
  });
  const {object, unknown, faults} = decoded(schema, {
    spec: {apiVersion: 'v1', kind: 'K', metadata: {name: 'n', odd: 1, labels: {a: 'b'}}, spec: {a: 'x', b: 'y'}, more: 1},
  });
  t.deepEqual(faults, []);
  t.deepEqual(unknown, ['spec.metadata.odd', 'spec.spec.b', 'spec.more']);
  t.deepEqual(object, {spec: {apiVersion: 'v1', kind: 'K', metadata: {name: 'n', labels: {a: 'b'}}, spec: {a: 'x'}}} as never);
});

test('what a schema says of the type and the metadata of an object inside an object holds there', (t) => {
  const schema = specSchema({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: {
      apiVersion: {type: 'string', default: 'v1'},
      kind: {type: 'string', enum: ['Pod', 'Job'], default: 'Pod'},
      metadata: {
        type: 'object',
        default: {labels: {a: 'b'}},
        required: ['name'],
        properties: {name: {type: 'string', maxLength: 3}, namespace: {type: 'string', default: 'n'}},
      },
    },
  });
  const judged = (spec_: object) => {
    const {object, faults} = decoded(schema, {spec: spec_});
    schema.applyDefaults(object);
    return {spec: object['spec'], texts: [...faults, ...texts(schema.validate(object))]};
  };
  t.deepEqual(judged({}), {
    spec: {apiVersion: 'v1', kind: 'Pod', metadata: {labels: {a: 'b'}, namespace: 'n'}},
    texts: ['spec.metadata.name: Required value'],
  });
  t.deepEqual(judged({kind: 'Node', metadata: {name: 'long'}}).texts, [
    'spec.metadata.name: Too long: may not be longer than 3',
    'spec.kind: Unsupported value: "Node": supported values: "Pod", "Job"',
  ]);
});

test('what a schema says of metadata narrows values and does not change which fields there are', (t) => {
  const schema = new SchemaCatalog().fromInline({
    type: 'object',
    properties: {metadata: {type: 'object', properties: {name: {type: 'string', maxLength: 3}}}},
  });
  const object = {metadata: {name: 'long', namespace: 's', labels: {a: 'b'}, annotations: {c: 'd'}, finalizers: ['f'], uid: 'u'}};
  t.deepEqual(decoded(schema, object), {object: object as never, unknown: [], faults: [], isMistyped: false});
  t.deepEqual(texts(schema.validate(object)), ['metadata.name: Too long: may not be longer than 3']);
});

test('nesting without end is a fault, not a crash', (t) => {
  const schema = recursiveSchema();
  let value: Record<string, unknown> = {};
  for (let depth = 0; depth < 9_000; depth++) value = {child: value};
  const faults = schema.decode({spec: value} as never, {unknown: []});
  t.regex(faults[0]?.body ?? '', /nests deeper than 1000 levels/);
  t.notThrows(() => schema.applyDefaults({spec: value} as never));
  t.notThrows(() => schema.validate({spec: value} as never));
});

test('a report of unknown fields and of faults has an end', (t) => {
  const many = Object.fromEntries(Array.from({length: 10_000}, (_, index) => [`k${index}`, 1]));
  const result = decoded(spec, {...many, metadata: {labels: many}});
  t.is(result.unknown.length, 100);
  t.is(result.faults.length, 100);
  t.deepEqual(Object.keys(result.object), ['metadata']);
  const listed = texts(spec.validate({spec: {labels: many}}));
  t.is(listed.length, 101);
  t.regex(listed.at(-1)!, /there may be more faults than are listed here/);
});

function recursiveSchema() {
  const catalog = new SchemaCatalog();
  catalog.add('tree', () => ({
    group: 'demo',
    version: 'v1',
    definitions: {
      Root: {type: 'object', properties: {spec: {$ref: '#/definitions/Tree'}}},
      Tree: {type: 'object', properties: {child: {$ref: '#/definitions/Tree'}}},
    },
  }));
  return catalog.schema('tree#/definitions/Root');
}
